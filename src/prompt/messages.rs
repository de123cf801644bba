//! Query and pack → the messages for a model, from the seat's own perspective.
//!
//! The seat's own statements are the assistant's; whatever else it is shown, and the question, are the user's. What it is
//! shown was decided by its memory: nothing is left out or cut here.

use minijinja::{Value, context};

use crate::domain::{
    Agent, Ask, Audience, Brief, EntryKind, Fault, Held, Motion, Offer, OpenBallots, Proposed, Query, SeatId, Step,
};
use crate::memory::guidance::statement_opening;
use crate::memory::notice::audience_line;
use crate::prompt::abstention;
use crate::prompt::asked::{write_answer_hearers, write_questions, write_reask};
use crate::prompt::facts::Facts;
use crate::prompt::form::{TextRoom, find_words_max, is_note};
use crate::prompt::forms::built_in;
use crate::prompt::inquiry;
use crate::prompt::line_cache::{LineCache, TextShown};
use crate::prompt::message::{Joint, Message, Role};
use crate::prompt::opinion;
use crate::prompt::reasons;
use crate::prompt::setting::{Votes, vote_value};
use crate::prompt::templates::{form_template, form_word, is_reasked, question_template, says_form};
use crate::prompt::voting::{self, Hearers};
use crate::prompt::{AnswerForm, Pack, PromptError};
use crate::text::{CountedText, tokens_at_most};

impl Pack {
    /// The messages that put a query to a model, which replies in a form with so many tokens at the most. `agents` has one
    /// entry a seat.
    ///
    /// The first is the frame, with the options in the order in which this question shows them. Then come, in
    /// the order in which they were first known, the remarks and own entries of the brief; when a memory is to be rewritten, what is new stands under a line of its
    /// own. The last is the user's and puts the question. Neighbours of one role are joined, so that after the frame user
    /// and assistant alternate, beginning and ending with the user, as the chat templates of many models demand.
    ///
    /// # Errors
    /// When a template fails on these very facts; whatever can be found without them was found by [`Pack::compile`].
    ///
    /// # Panics
    /// When `agents` lacks a seat of the query.
    pub fn messages(
        &self,
        motion: &Motion,
        agents: &[&Agent],
        query: &Query<'_>,
        (form, max_tokens): (AnswerForm, u32),
    ) -> Result<Vec<Message>, PromptError> {
        self.write_messages(&LineCache::default(), (motion, motion), agents, query, (form, max_tokens))
    }

    /// The same with lines of the session that earlier questions showed, where what is asked may be another motion than the one that
    /// statements were about.
    pub fn write_messages(
        &self,
        lines: &LineCache,
        (motion, heard): (&Motion, &Motion),
        agents: &[&Agent],
        query: &Query<'_>,
        (form, max_tokens): (AnswerForm, u32),
    ) -> Result<Vec<Message>, PromptError> {
        let facts = self.facts(motion, agents, query, (form, max_tokens));
        // Who a seat is does not change with what it is asked.
        let mut frame = facts.clone().with("vote", self.known().vote.clone());
        if query.ask.options().is_empty() {
            frame = frame.with_options(motion, motion.alternative_ids());
        }
        let mut messages = vec![Message::new(Role::System, self.render("system", &frame)?)];
        self.history(&mut messages, lines, (heard, agents), (query, &facts))?;
        if let Some(found) = &query.brief.found {
            say(&mut messages, Role::User, inquiry::heading(found, motion.language), Joint::Paragraph);
            for place in found.remarks {
                let remark = &query.brief.remarks.floor[*place as usize];
                let public_name =
                    remark.speaker.map_or("", |seat| chosen(query, seat).unwrap_or(&agents[seat.index()].public_name));
                let shown = (remark, TextShown::Kept);
                let line = lines.write_remark(shown, Some(public_name), query.brief.style, heard);
                say(&mut messages, Role::User, line, Joint::Line);
            }
        }
        if let Some(fault) = query.retry.filter(|fault| is_reasked(*fault)) {
            say(&mut messages, Role::User, self.reask_words(motion, query, (fault, form), &facts)?, Joint::Paragraph);
        }
        let hearers = list_hearers(query, agents);
        let question = self.question(motion, query, &facts)?;
        let said = match query.open {
            OpenBallots::Announced if hearers == Hearers::Everyone && self.says_who_hears(&query.ask) => String::new(),
            open => voting::open_ballot_words(&query.ask, open, &hearers, motion.language),
        };
        say(&mut messages, Role::User, question + &said, Joint::Paragraph);
        if query.ask.step() == Step::Statement {
            let line = match &hearers {
                Hearers::Everyone => None,
                Hearers::Seats(names) => Some(audience_line(Some(names), motion.language)),
                Hearers::Undisclosed => Some(audience_line(None, motion.language)),
            };
            line.into_iter().for_each(|line| say(&mut messages, Role::User, line, Joint::Line));
        }
        if query.ask.form_asked().is_some() && query.audience.is_some() {
            let line = write_answer_hearers(&hearers, motion.language);
            line.into_iter().for_each(|line| say(&mut messages, Role::User, line, Joint::Line));
        }
        if query.ask.reads_marks() {
            let facts = facts.clone().with("own_proposals", own_proposals(&query.brief));
            say(&mut messages, Role::User, self.render("proposals", &facts)?, Joint::Paragraph);
        }
        // A person is told beside the messages how to type, to abstain and to give an opinion.
        let is_typed = form == AnswerForm::Typed;
        if !is_typed && !says_form(&query.ask) && (form == AnswerForm::JsonSchema || !is_note(&query.ask)) {
            let own = voting::form(&query.ask, motion.language, form);
            let room = if form == AnswerForm::JsonSchema { TextRoom::Tokens(max_tokens) } else { TextRoom::Any };
            let words = match own.or_else(|| built_in(&query.ask, motion, (form, room))) {
                Some(words) => words,
                None => self.render(form_template(form), &facts)?,
            };
            say(&mut messages, Role::User, words, Joint::Line);
        }
        if let Some(words) = abstention::words(&query.ask, motion, form).filter(|_| !is_typed) {
            say(&mut messages, Role::User, words, Joint::Line);
        }
        if let Some(chars_max) =
            find_words_max(&query.ask, motion, max_tokens).filter(|_| query.ask.asks_reasons() && !is_typed)
        {
            say(&mut messages, Role::User, reasons::words(motion, form, chars_max), Joint::Line);
        }
        if query.ask.asks_opinion() && !is_typed {
            say(&mut messages, Role::User, opinion::words(motion, form), Joint::Line);
        }
        if query.offer != Offer::NONE {
            let words = match self.has(inquiry::TEMPLATE) {
                true => self.render(inquiry::TEMPLATE, &inquiry::facts(facts, query.offer, form))?,
                false => inquiry::words(query.offer, form, motion.language),
            };
            say(&mut messages, Role::User, words, Joint::Line);
        }
        Ok(messages)
    }

    /// The frame of a seat's prompts before a question with all options: who it is and what is deliberated. `agents` has one entry a
    /// seat.
    pub fn frame(&self, motion: &Motion, agents: &[&Agent], seat: SeatId) -> Result<String, PromptError> {
        self.render("system", &Facts::of_frame(self.known(), motion, agents, seat))
    }

    /// By how many tokens, estimated, a first question grows at the most if it is put again for one of these faults; `None` where
    /// other words than the reason may depend on the fault, so that only complete messages tell.
    pub fn reason_tokens(
        &self,
        faults: &[Fault],
        motion: &Motion,
        agents: &[&Agent],
        query: &Query<'_>,
        (form, max_tokens): (AnswerForm, u32),
    ) -> Result<Option<u64>, PromptError> {
        let question = voting::template(&query.ask).unwrap_or_else(|| question_template(&query.ask));
        let templates = [
            "system",
            "history",
            question,
            question_template(&query.ask),
            "proposals",
            form_template(form),
            inquiry::TEMPLATE,
        ];
        if query.retry.is_some() || templates.iter().any(|template| self.reads_fault(template)) {
            return Ok(None);
        }
        let facts = self.facts(motion, agents, query, (form, max_tokens));
        let mut most = 0;
        for fault in faults.iter().copied().filter(|fault| is_reasked(*fault)) {
            let words = self.reask_words(motion, query, (fault, form), &facts.clone().after(fault))?;
            most = most.max(Joint::Paragraph.tokens() + tokens_at_most(&words));
        }
        Ok(Some(most))
    }

    /// Why a question is put again.
    fn reask_words(
        &self,
        motion: &Motion,
        query: &Query<'_>,
        (fault, form): (Fault, AnswerForm),
        facts: &Facts,
    ) -> Result<String, PromptError> {
        let own = match query.ask.form_asked() {
            Some(asked) => Some(write_reask(&asked.form, fault, query.retry_field.as_deref(), form)),
            None => voting::reask(&query.ask, fault, motion.language),
        };
        own.map_or_else(|| self.render("reask", facts), Ok)
    }

    /// The words that put a question: the scenario's, or the program's where it has none for a form of ballots.
    fn question(&self, motion: &Motion, query: &Query<'_>, facts: &Facts) -> Result<String, PromptError> {
        if let Some(template) = voting::template(&query.ask).filter(|template| self.has(template)) {
            return self.render(template, facts);
        }
        if let Some(asked) = query.ask.form_asked() {
            return Ok(write_questions(asked));
        }
        match voting::question(&query.ask, motion, query.rule.as_ref()) {
            Some(question) => Ok(question),
            None => self.render(question_template(&query.ask), facts),
        }
    }

    /// Whether the scenario's template for a ballot says itself who hears ballots.
    fn says_who_hears(&self, ask: &Ask) -> bool {
        let own = voting::template(ask).filter(|template| self.has(template));
        let template = match own {
            None if voting::template(ask).is_some() => return false,
            None => question_template(ask),
            Some(own) => own,
        };
        let says = |path: &String| ["vote", "vote.open", "vote.roll_call"].contains(&path.as_str());
        self.reads(template).is_none_or(|paths| paths.iter().any(says))
    }

    /// Adds what the brief holds, with its headings.
    fn history(
        &self,
        messages: &mut Vec<Message>,
        lines: &LineCache,
        (motion, agents): (&Motion, &[&Agent]),
        (query, facts): (&Query<'_>, &Facts),
    ) -> Result<(), PromptError> {
        let mut entries = query.brief.in_order();
        if query.ask.step() == Step::Notes {
            // The question has them.
            entries.retain(
                |held| !matches!(held, Held::Pinned(entry) | Held::Own(entry) if entry.kind == EntryKind::Notes),
            );
        }
        let is_new = |held: &Held<'_>| match (query.ask.news_from(), held) {
            (None, _) | (_, Held::Past(_) | Held::Standing(_)) => false,
            (news_from, other) => other.seq() >= news_from,
        };
        let news = entries.iter().position(is_new).unwrap_or(entries.len());
        for (is_news, part) in [(false, &entries[..news]), (true, &entries[news..])] {
            let left_out = match (query.brief.is_cut && !is_news, part) {
                (false, _) => Value::from(false),
                (true, []) => Value::from("all"),
                (true, _) => Value::from("earlier"),
            };
            let first_talk = part.iter().position(|held| is_talk(held, &query.brief));
            let heading = |is_of_talk: bool| {
                let facts = facts.clone().with("news", is_news).with("left_out", left_out.clone());
                self.render("history", &facts.with("talk", is_of_talk))
            };
            // A heading of the talk alone stands before the first statement.
            let mut is_headed = part.is_empty() && !left_out.is_true();
            if !is_headed {
                let words = heading(first_talk == Some(0) || left_out.is_true() && first_talk.is_some())?;
                is_headed = !words.is_empty();
                if is_headed {
                    say(messages, Role::User, words, Joint::Paragraph);
                }
            }
            for (place, entry) in part.iter().enumerate() {
                if !is_headed && first_talk == Some(place) {
                    say(messages, Role::User, heading(true)?, Joint::Paragraph);
                    is_headed = true;
                }
                let (role, words) = words(*entry, lines, (motion, agents), query);
                say(messages, role, words, Joint::Paragraph);
            }
        }
        Ok(())
    }

    /// What is told of a query that is answered in a form with so many tokens at the most.
    fn facts(
        &self,
        motion: &Motion,
        agents: &[&Agent],
        query: &Query<'_>,
        (form, max_tokens): (AnswerForm, u32),
    ) -> Facts {
        let mut facts = Facts::of_question(self.known(), motion, agents, query.seat, &query.ask, query.id.at.round)
            .with("phase", query.id.at.phase.written())
            .with("form", form_word(form));
        if let (AnswerForm::JsonSchema, Some(most)) = (form, find_words_max(&query.ask, motion, max_tokens)) {
            facts = facts.with("chars_max", query.ask.chars_max().map_or(most, |readable| most.min(readable)));
        }
        if matches!(query.ask.step(), Step::Ballot | Step::Amount) {
            let is_told = query.open == OpenBallots::Announced && query.audience.is_none();
            let open = context! { open => <&str>::from(query.open), roll_call => is_told };
            let told = query.rule.map_or_else(|| context! {}, |told| vote_value(&told, motion));
            // Outside the rounds of a talk a phase of its own holds the vote.
            let when = if query.id.at.round == 0 {
                Votes::AtEnd.value()
            } else {
                context! {}
            };
            let own = context! { ..open, ..context! { ..told, ..when } };
            facts = facts.with("vote", context! { ..own, ..self.known().vote.clone() });
        }
        if let Some(name) = chosen(query, query.seat) {
            facts = facts.with("name", name).with("public_name", name);
        }
        if let Some(name) = query.ask.caller().and_then(|caller| chosen(query, caller)) {
            facts = facts.with("caller", name);
        }
        match query.retry {
            Some(fault) => facts.after(fault),
            None => facts,
        }
    }
}

/// Who hears what a seat says now, or its ballot.
fn list_hearers<'n>(query: &'n Query<'n>, agents: &[&'n Agent]) -> Hearers<'n> {
    let name = |seat: &SeatId| chosen(query, *seat).unwrap_or(&agents[seat.index()].public_name);
    match &query.audience {
        None | Some(Audience::Everyone) => Hearers::Everyone,
        Some(Audience::Seats(seats)) => Hearers::Seats(seats.iter().map(name).collect()),
        Some(Audience::Undisclosed) => Hearers::Undisclosed,
    }
}

/// Whether something that a brief holds is part of the talk: a statement, or what stands for statements.
fn is_talk(held: &Held<'_>, brief: &Brief<'_>) -> bool {
    match held {
        Held::Heard(remark) | Held::Recalled(remark) | Held::Posted(remark) => remark.speaker.is_some(),
        Held::Standing(_) => true,
        Held::Past(_) => brief.remarks.floor.iter().any(|remark| remark.speaker.is_some()),
        Held::Pinned(_) | Held::Own(_) => false,
    }
}

/// Who speaks in something that a brief holds, and its words.
fn words(
    held: Held<'_>,
    lines: &LineCache,
    (motion, agents): (&Motion, &[&Agent]),
    query: &Query<'_>,
) -> (Role, CountedText) {
    let remark = match held {
        Held::Past(entry) | Held::Pinned(entry) | Held::Own(entry) => return (Role::User, lines.write_entry(entry)),
        Held::Standing(words) => return (Role::User, words.to_owned().into()),
        Held::Heard(remark) | Held::Recalled(remark) | Held::Posted(remark) => remark,
    };
    let extent = TextShown::of(remark, &query.brief);
    let (role, speaker) = match remark.speaker {
        Some(seat) if seat == query.brief.seat => (Role::Assistant, None),
        None => (Role::User, None),
        Some(seat) => (Role::User, Some(chosen(query, seat).unwrap_or(&agents[seat.index()].public_name))),
    };
    (role, lines.write_remark((remark, extent), speaker, query.brief.style, motion))
}

/// The name that a seat chose.
fn chosen<'a>(query: &Query<'a>, seat: SeatId) -> Option<&'a str> {
    query.chosen.get(seat.index())?.as_deref()
}

/// The seat's own open proposals that it is shown, by their numbers and first words: its own words have no number.
fn own_proposals(brief: &Brief<'_>) -> Vec<Value> {
    let floor = brief.remarks.floor;
    let words = |own: &Proposed| {
        let place = floor.binary_search_by_key(&own.seq, |remark| remark.seq).ok()?;
        Some(context! { number => own.number.to_string(), words => statement_opening(&floor[place]) })
    };
    brief.heard.own_open.iter().filter_map(words).collect()
}

/// Adds words, to the last message when it has the same role.
fn say(messages: &mut Vec<Message>, role: Role, words: impl Into<CountedText>, joint: Joint) {
    match messages.last_mut() {
        Some(last) if last.role == role => last.add(joint, words.into()),
        _ => messages.push(Message::new(role, words)),
    }
}

#[cfg(test)]
mod tests;
