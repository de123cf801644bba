//! Separates a reasoning model's thinking from its reply in the same text.

/// The tags of the DeepSeek R1 and Qwen 3 families.
const MARKS: (&str, &str) = ("<think>", "</think>");

/// Splits a text into thinking and reply. Thinking is the text before a first end tag without a start tag (a template may have
/// written the start tag), every block between tags, and everything after an unclosed start tag. A start tag amid the words of a
/// line is part of the reply if its block ends in that line or nowhere.
pub fn split_thinking(content: String) -> (Option<String>, String) {
    // Finding a character is several times faster than finding a word.
    if !content.contains('<') {
        return (None, content);
    }
    let mut thoughts: Vec<&str> = Vec::new();
    let mut reply = String::new();
    let mut rest = content.as_str();
    if let Some((thinking, behind)) = rest.split_once(MARKS.1).filter(|(before, _)| !before.contains(MARKS.0)) {
        thoughts.push(thinking);
        rest = behind.trim_start();
    }
    while let Some(place) = rest.find(MARKS.0) {
        let (before, opened) = rest.split_at(place);
        let inside = &opened[MARKS.0.len()..];
        let block = inside.split_once(MARKS.1);
        let is_blank = |words: &str| words.rsplit('\n').next().is_none_or(|line| line.trim().is_empty());
        let is_first = is_blank(before) && (before.contains('\n') || is_blank(&reply));
        let is_last = inside.lines().next().is_none_or(|line| line.trim().is_empty());
        let is_thought = is_first || block.map_or(is_last, |(thinking, _)| thinking.contains('\n'));
        let (thinking, behind) = block.unwrap_or((inside, ""));
        match is_thought {
            true => {
                reply.push_str(before);
                thoughts.push(thinking);
                rest = if reply.trim().is_empty() { behind.trim_start() } else { behind };
            }
            false => {
                // Up to the end of the block, or of the unclosed tag.
                let said = block.map_or(place + MARKS.0.len(), |_| rest.len() - behind.len());
                reply.push_str(&rest[..said]);
                rest = &rest[said..];
            }
        }
    }
    if thoughts.is_empty() {
        return (None, content);
    }
    reply.push_str(rest);
    let said: Vec<&str> = thoughts.into_iter().map(str::trim).filter(|words| !words.is_empty()).collect();
    (Some(said.join("\n\n")).filter(|words| !words.is_empty()), reply.trim_start().to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn thinking_is_told_from_the_reply_wherever_it_stands() {
        for (content, thinking, reply) in [
            ("CHOICE: for", None, "CHOICE: for"),
            ("<think>\nHm.\n</think>\n\nCHOICE: for", Some("Hm."), "CHOICE: for"),
            ("\n<think></think>CHOICE: for", None, "CHOICE: for"),
            ("Hm.\n</think>\nCHOICE: for", Some("Hm."), "CHOICE: for"),
            ("<think>CHOICE: for", Some("CHOICE: for"), ""),
            (" <think>a</think> <think>b</think>c", Some("a\n\nb"), "c"),
            ("I say <think> aloud", None, "I say <think> aloud"),
            ("I say <think>hm</think> aloud", None, "I say <think>hm</think> aloud"),
            ("<think>a</think>b</think>c", Some("a"), "b</think>c"),
            ("Well.\n<think>CHOICE: against</think>\nCHOICE: for", Some("CHOICE: against"), "Well.\n\nCHOICE: for"),
            ("Well. <think>\nCHOICE: against\n</think>\nCHOICE: for", Some("CHOICE: against"), "Well. \nCHOICE: for"),
            (
                "Well. <think>Hm.\nCHOICE: against</think>\nCHOICE: for",
                Some("Hm.\nCHOICE: against"),
                "Well. \nCHOICE: for",
            ),
            ("CHOICE: for\n<think>\nCHOICE: against", Some("CHOICE: against"), "CHOICE: for\n"),
            ("CHOICE: for <think>\nCHOICE: against", Some("CHOICE: against"), "CHOICE: for "),
            ("<think>a</think><think>b</think>\nCHOICE: for", Some("a\n\nb"), "CHOICE: for"),
            ("Hm.</think>\nYes.\n<think>b</think>CHOICE: for", Some("Hm.\n\nb"), "Yes.\nCHOICE: for"),
            ("I <think>hm</think> say\n<think>a</think>b", Some("a"), "I <think>hm</think> say\nb"),
        ] {
            assert_eq!(
                split_thinking(content.to_owned()),
                (thinking.map(str::to_owned), reply.to_owned()),
                "{content:?}"
            );
        }
    }

    proptest! {
        #[test]
        fn a_reply_without_marks_stays_as_it_came(content in "[^<]*") {
            prop_assert_eq!(split_thinking(content.clone()), (None, content));
        }

        #[test]
        fn nothing_is_lost_and_no_whole_block_of_lines_is_left(parts in proptest::collection::vec("(<think>|</think>|\\n|[ab ]{1,3})", 0..12)) {
            let content = parts.concat();
            let (thinking, reply) = split_thinking(content.clone());
            let letters = |words: &str| words.chars().filter(|c| matches!(c, 'a' | 'b')).count();
            prop_assert_eq!(letters(&thinking.unwrap_or_default()) + letters(&reply), letters(&content));
            for line in reply.lines() {
                prop_assert!(!line.trim_start().starts_with("<think>") || !line.contains("</think>"), "{}", reply);
            }
        }
    }
}
