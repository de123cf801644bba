//! What a seat asks to see before it answers: at each question one thing at most, of what it has heard, once a turn, or of what
//! it was handed. The request is an answer's record of its own, uses up no try, and its find is shown for that one question.

use super::asking::Asked;
use super::deliberation::Deliberation;
use super::standing::Inquired;
use crate::domain::{self, Event, Found, Given, Inquiry, Offer, PageShown, Query, Record, SeatId, Seq, Shown, Step};
use crate::plan::HandOut;

impl Deliberation<'_> {
    /// What a seat may ask to see before it answers. Whoever rewrites its memory or its notes is shown what is to be rewritten,
    /// whoever chooses a name has heard nothing yet, and whether a seat recognises something is not looked up.
    pub(super) fn offer(&self, seat: SeatId, asked: Asked) -> Offer {
        let step = asked.step;
        let asks_nothing =
            matches!(step, Step::Integration | Step::Compression | Step::Naming | Step::Notes | Step::Recognition);
        if self.standing[seat.index()].inquired.is_some() || asks_nothing {
            return Offer::NONE;
        }
        let has_looked_up =
            step.is_of_a_turn() && self.standing[seat.index()].looked_up == Some((asked.phase, asked.round));
        let mut own = self.exhibits_of(seat);
        Offer {
            look_up: self.plan.memory.look_up && !has_looked_up,
            page: own.any(|(_, handed)| handed.exhibit.page_count() > 0),
        }
    }

    /// The exhibits that a seat is shown, with their positions in the plan.
    fn exhibits_of(&self, seat: SeatId) -> impl Iterator<Item = (usize, &HandOut)> {
        let name = self.seat_name(seat);
        self.plan.exhibits.iter().enumerate().filter(move |(_, handed)| handed.is_shown_to(name))
    }

    /// What a seat asks to see, as it is minuted.
    pub(super) fn inquired_event(&self, query: &Query<'_>, inquiry: Inquiry, raw: String, given: Given) -> Event {
        let found = match &inquiry {
            Inquiry::LookUp(words) => {
                let places = self.memory.look_up(query.seat, words).into_iter();
                places.map(|place| self.memory.remarks(query.seat)[place as usize].seq).collect()
            }
            Inquiry::Page(name) => {
                self.page(query.seat, name).map(|(position, _)| self.handed_out_in[position]).into_iter().collect()
            }
        };
        Event::Inquired(domain::Inquired { inquiry, found, raw, given })
    }

    /// The page of a name, of an exhibit that the seat is shown: its position in the plan, and the page's number.
    fn page(&self, seat: SeatId, name: &str) -> Option<(usize, u32)> {
        self.exhibits_of(seat).find_map(|(position, handed)| Some((position, handed.exhibit.page_called(name)?)))
    }

    /// A seat has asked to see something, and is shown it with the same question.
    pub(super) fn inquired(&mut self, record: &Record, seat: SeatId) {
        let Some(domain::Inquired { inquiry, found, .. }) = record.event.inquired() else { return };
        let remarks = self.memory.remarks(seat);
        let place = |seq: &Seq| remarks.binary_search_by_key(seq, |remark| remark.seq).ok().map(|place| place as u32);
        let (remarks, page) = match inquiry {
            Inquiry::LookUp(_) => (found.iter().filter_map(place).collect(), None),
            Inquiry::Page(name) => (Vec::new(), self.page(seat, name)),
        };
        let Asked { phase, round, .. } = self.asked();
        let standing = &mut self.standing[seat.index()];
        if matches!(inquiry, Inquiry::LookUp(_)) && record.at.step.is_of_a_turn() {
            standing.looked_up = Some((phase, round));
        }
        standing.inquired = Some(Inquired { inquiry: inquiry.clone(), remarks, page });
        self.course.asking.inform(seat);
    }

    /// Whether a seat is shown something that it asked to see.
    pub(super) fn is_shown_found(&self, seat: SeatId) -> bool {
        let inquired = self.standing[seat.index()].inquired.as_ref();
        inquired.is_some_and(|inquired| !inquired.remarks.is_empty() || inquired.page.is_some())
    }

    /// What was found is put away again: it was too much for the seat's model.
    pub(super) fn put_away(&mut self, seat: SeatId) {
        if let Some(inquired) = &mut self.standing[seat.index()].inquired {
            (inquired.remarks, inquired.page) = (Vec::new(), None);
        }
    }

    /// What a seat is shown because it asked to see it; goes into what is shown, too.
    pub(super) fn found(&self, seat: SeatId, shown: &mut Shown) -> Option<Found<'_>> {
        let Inquired { inquiry, remarks, page } = self.standing[seat.index()].inquired.as_ref()?;
        let page = page.map(|(position, number)| (&self.plan.exhibits[position].exhibit, number));
        shown.inquired = true;
        shown.found.clone_from(remarks);
        shown.page = page.map(|(exhibit, page)| PageShown { exhibit: exhibit.name().to_owned(), page });
        Some(Found { inquiry, remarks, page: page.and_then(|(exhibit, number)| exhibit.page(number)) })
    }
}
