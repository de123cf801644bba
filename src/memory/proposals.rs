//! The proposals of a session: the meaning of marks, the reactions of seats, and the state of each proposal.
//!
//! Only a seat's latest reaction to a proposal counts. An active proposal is accepted once more than half of the other seats
//! support it, rejected once more than half oppose it, and modified once its own seat names it in a new proposal. This status is
//! final, but later reactions still count as reactions.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::{Choice, Ignored, Mark, Marked, Named, Number, ProposalStatus, Proposed, SeatId, Seq, Sign};

/// The number of newest active proposals searched for one that a seat has not answered.
pub(super) const LOOKED_AT: usize = 8;

/// A statement that carries marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MarkedStatement {
    /// Its record.
    pub seq: Seq,
    /// Its public number.
    pub number: Number,
    /// The speaker.
    pub seat: SeatId,
    /// Its position on the floor.
    pub place: usize,
    /// The stance that it declares.
    pub stance: Option<Choice>,
}

/// A proposal with its state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// The statement of the proposal.
    pub stated: MarkedStatement,
    /// The proposal that it replaces, as a position in the list of all.
    pub replaces: Option<usize>,
    /// The first proposal of its seat that replaces it, as a position in the list of all.
    pub replaced_by: Option<usize>,
    /// The seats whose latest reaction supports it.
    pub supporters: BTreeSet<SeatId>,
    /// The seats whose latest reaction opposes it.
    pub opponents: BTreeSet<SeatId>,
    /// Its status.
    pub status: ProposalStatus,
    /// The record and number of the statement that set the status; the proposal's own while it is active.
    pub since: (Seq, Number),
}

/// All proposals and stated decisions of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proposals {
    /// All proposals, in order.
    pub all: Vec<Proposal>,
    /// The newest proposal of each number; every phase starts numbering anew.
    by_number: BTreeMap<Number, usize>,
    /// The active proposals, by position in the list of all.
    pub active: BTreeSet<usize>,
    /// The active proposals of each seat.
    open: BTreeMap<SeatId, BTreeSet<usize>>,
    /// The settled proposals, in the order of settlement.
    pub closed: Vec<usize>,
    /// The newest proposal of each seat.
    own: BTreeMap<SeatId, usize>,
    /// The proposal that each seat supported last.
    backed: BTreeMap<SeatId, usize>,
    /// The statements that state a decision, in order.
    pub decisions: Vec<MarkedStatement>,
}

impl Proposals {
    /// Resolves the marks of a statement against earlier statements. Returns each mark, with a reason if it has no effect.
    pub fn resolve_marks(&self, speaker: SeatId, marks: &[Mark]) -> Vec<Marked> {
        let meant = marks.iter().enumerate().map(|(place, mark)| {
            let said = match mark.sign {
                Sign::Proposal | Sign::Decision => &marks[..place],
                Sign::Support | Sign::Oppose => &marks[place + 1..],
            };
            let again = |other: &Mark| match mark.sign {
                Sign::Proposal | Sign::Decision => other.sign == mark.sign,
                Sign::Support | Sign::Oppose => {
                    matches!(other.sign, Sign::Support | Sign::Oppose)
                        && other.names == mark.names
                        && mark.names.number().is_some()
                }
            };
            let (of, ignored) = match said.iter().any(again) {
                true => (None, Some(Ignored::Repeated)),
                false => self.resolve_target(speaker, *mark),
            };
            Marked { sign: mark.sign, names: mark.names, of, ignored }
        });
        meant.collect()
    }

    /// The proposal that a mark names, and the reason if the mark has no effect.
    fn resolve_target(&self, speaker: SeatId, mark: Mark) -> (Option<Seq>, Option<Ignored>) {
        let number = match (mark.sign, mark.names) {
            (Sign::Proposal | Sign::Decision, Named::Nothing) => return (None, None),
            (_, Named::Nothing | Named::Unreadable) => return (None, Some(Ignored::Unnamed)),
            (_, Named::Number(number)) => number,
        };
        let Some(place) = self.by_number.get(&number) else { return (None, Some(Ignored::Unknown)) };
        let MarkedStatement { seq, seat, .. } = self.all[*place].stated;
        let ignored = match mark.sign {
            Sign::Support | Sign::Oppose if seat == speaker => Some(Ignored::Own),
            Sign::Proposal if seat != speaker => Some(Ignored::NotOwn),
            _ => None,
        };
        (Some(seq), ignored)
    }

    /// Applies the resolved marks of a statement; `others` is the number of participating seats less one.
    pub fn apply_marks(&mut self, stated: MarkedStatement, marks: &[Marked], others: u32) {
        for mark in marks {
            let of = mark.of.filter(|_| mark.ignored.is_none()).and_then(|seq| self.find_place(seq));
            match mark.sign {
                Sign::Proposal if mark.proposes() => self.add_proposal(stated, of),
                Sign::Decision if mark.decides() => self.decisions.push(stated),
                Sign::Support | Sign::Oppose => {
                    if let Some(place) = of {
                        self.add_reaction(place, stated, mark.sign, others);
                    }
                }
                Sign::Proposal | Sign::Decision => {}
            }
        }
    }

    fn add_proposal(&mut self, stated: MarkedStatement, replaces: Option<usize>) {
        let place = self.all.len();
        if let Some(old) = replaces {
            self.all[old].replaced_by.get_or_insert(place);
            self.settle_proposal(old, ProposalStatus::Modified, stated);
        }
        self.all.push(Proposal {
            stated,
            replaces,
            replaced_by: None,
            supporters: BTreeSet::new(),
            opponents: BTreeSet::new(),
            status: ProposalStatus::Active,
            since: (stated.seq, stated.number),
        });
        self.by_number.insert(stated.number, place);
        self.own.insert(stated.seat, place);
        self.active.insert(place);
        self.open.entry(stated.seat).or_default().insert(place);
    }

    fn add_reaction(&mut self, place: usize, stated: MarkedStatement, sign: Sign, others: u32) {
        let proposal = &mut self.all[place];
        let (to, from) = match sign {
            Sign::Support => (&mut proposal.supporters, &mut proposal.opponents),
            _ => (&mut proposal.opponents, &mut proposal.supporters),
        };
        from.remove(&stated.seat);
        to.insert(stated.seat);
        let is_most = |seats: &BTreeSet<SeatId>| seats.len() as u64 * 2 > u64::from(others);
        let status = match (is_most(&proposal.supporters), is_most(&proposal.opponents)) {
            (true, _) => Some(ProposalStatus::Accepted),
            (false, true) => Some(ProposalStatus::Rejected),
            (false, false) => None,
        };
        match sign {
            Sign::Support => drop(self.backed.insert(stated.seat, place)),
            _ if self.backed.get(&stated.seat) == Some(&place) => drop(self.backed.remove(&stated.seat)),
            _ => {}
        }
        if let Some(status) = status {
            self.settle_proposal(place, status, stated);
        }
    }

    /// Sets the final status of a proposal if it is active.
    fn settle_proposal(&mut self, place: usize, status: ProposalStatus, by: MarkedStatement) {
        if self.active.remove(&place) {
            self.closed.push(place);
            if let Some(open) = self.open.get_mut(&self.all[place].stated.seat) {
                open.remove(&place);
            }
            (self.all[place].status, self.all[place].since) = (status, (by.seq, by.number));
        }
    }

    /// The position of the proposal in a record.
    fn find_place(&self, seq: Seq) -> Option<usize> {
        self.all.binary_search_by_key(&seq, |proposal| proposal.stated.seq).ok()
    }

    /// The proposal in a record; `None` if the record has none.
    pub fn find_proposal(&self, seq: Seq) -> Option<&Proposal> {
        self.find_place(seq).map(|place| &self.all[place])
    }

    /// The newest active proposal of another seat that `seat` has not answered, among those that it is shown by position on the
    /// floor. Only the newest few are searched, so that the cost does not grow with the number of proposals.
    pub fn to_answer(&self, seat: SeatId, is_shown: impl Fn(usize) -> bool) -> Option<Proposed> {
        let newest = self.active.iter().rev().take(LOOKED_AT).map(|place| &self.all[*place]);
        let is_due = |proposal: &&Proposal| {
            proposal.stated.seat != seat && is_shown(proposal.stated.place) && !proposal.has_reacted(seat)
        };
        newest.filter(is_due).map(Proposal::to_proposed).next()
    }

    /// A seat's own active proposals among those that it is shown, by position on the floor, in order.
    pub fn own_open(&self, seat: SeatId, is_shown: impl Fn(usize) -> bool) -> Vec<Proposed> {
        let open = self.open.get(&seat).into_iter().flatten().map(|place| &self.all[*place]);
        open.filter(|proposal| is_shown(proposal.stated.place)).map(Proposal::to_proposed).collect()
    }

    /// A seat's own newest proposal.
    pub fn newest_own(&self, seat: SeatId) -> Option<Proposed> {
        self.own.get(&seat).map(|place| self.all[*place].to_proposed())
    }

    /// The proposal that a seat supported last, unless it opposed it later.
    pub fn last_backed(&self, seat: SeatId) -> Option<Proposed> {
        self.backed.get(&seat).map(|place| self.all[*place].to_proposed())
    }
}

impl Proposal {
    /// Whether a seat supports or opposes the proposal.
    pub fn has_reacted(&self, seat: SeatId) -> bool {
        self.supporters.contains(&seat) || self.opponents.contains(&seat)
    }

    fn to_proposed(&self) -> Proposed {
        let MarkedStatement { seq, number, stance, .. } = self.stated;
        Proposed { seq, number, stance }
    }
}
