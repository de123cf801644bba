//! Truncation and counting. Characters are Unicode scalar values; a cut never splits a grapheme cluster.
