//! A bench that runs itself under `valgrind --tool=callgrind`: instructions are the same whatever else the machine does.

use std::process::Command;

/// What the program prints first when it is started with these numbers, and how many instructions it takes.
pub fn count(numbers: &[u32]) -> (u64, u64) {
    let program = std::env::current_exe().expect("a program knows where it is");
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    let counted = valgrind.arg(program).args(numbers.iter().map(u32::to_string)).output();
    let counted = counted.expect("valgrind is installed");
    assert!(counted.status.success(), "{}", String::from_utf8_lossy(&counted.stderr));
    (number_after(&counted.stdout, ""), number_after(&counted.stderr, "Collected : "))
}

/// The first number after a mark.
fn number_after(output: &[u8], mark: &str) -> u64 {
    let text = String::from_utf8_lossy(output);
    let (_, rest) = text.split_once(mark).expect("the output holds the mark");
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().expect("a number follows the mark")
}
