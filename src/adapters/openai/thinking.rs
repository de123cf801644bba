//! What a reasoning model thought, where it stands before its reply in the same text. It reads no reply.

/// The marks that models of the DeepSeek R1 and Qwen 3 families put around it.
const MARKS: (&str, &str) = ("<think>", "</think>");

/// A text as thinking and reply. Only at its beginning is there thinking; where the model did not come to its end, there is no
/// reply. A template may have begun the thinking itself: then its end alone is there.
pub fn apart(content: String) -> (Option<String>, String) {
    let begun = content.trim_start().strip_prefix(MARKS.0);
    let (thinking, reply) = match (begun, begun.unwrap_or(&content).split_once(MARKS.1)) {
        (_, Some((thinking, reply))) if begun.is_some() || !thinking.contains(MARKS.0) => (thinking, reply),
        (Some(thinking), None) => (thinking, ""),
        _ => return (None, content),
    };
    let said = |words: &str| (!words.trim().is_empty()).then(|| words.trim().to_owned());
    (said(thinking), reply.trim_start().to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn thinking_stands_before_the_reply_and_nowhere_else() {
        for (content, thinking, reply) in [
            ("CHOICE: for", None, "CHOICE: for"),
            ("<think>\nHm.\n</think>\n\nCHOICE: for", Some("Hm."), "CHOICE: for"),
            ("\n<think></think>CHOICE: for", None, "CHOICE: for"),
            ("Hm.\n</think>\nCHOICE: for", Some("Hm."), "CHOICE: for"),
            ("<think>CHOICE: for", Some("CHOICE: for"), ""),
            ("I say <think> aloud", None, "I say <think> aloud"),
            ("I say <think>hm</think> aloud", None, "I say <think>hm</think> aloud"),
            ("<think>a</think>b</think>c", Some("a"), "b</think>c"),
        ] {
            assert_eq!(apart(content.to_owned()), (thinking.map(str::to_owned), reply.to_owned()), "{content:?}");
        }
    }

    proptest! {
        #[test]
        fn a_reply_without_marks_stays_as_it_came(content in "[^<]*") {
            prop_assert_eq!(apart(content.clone()), (None, content));
        }
    }
}
