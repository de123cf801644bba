//! The shipped scenarios and configs are part of the program: a change of one of them, or a new one, builds it again.

fn main() {
    for folder in ["configs", "scenarios"] {
        println!("cargo::rerun-if-changed={folder}");
    }
}
