//! A session with four seats, as a scope and a world for tests.

use std::cell::RefCell;
use std::sync::Arc;

use super::*;

const NAMES: [&str; 4] = ["Ann", "Bob", "Cam", "Dan"];
const PARAMETERS: u64 = 0;
const PASS: u64 = 1;
const ITEM: u64 = 2;
const RANK: u64 = 3;
const LOST: u64 = 4;
/// The answers of seat n in the phase `contribute` are the record with this number plus n.
const CONTRIBUTE: u64 = 10;
/// The alternatives are options 0 to 2; the texts of `candidate` are options 10 and 11.
const ALTERNATIVE: OptionType = OptionType { set: 0, vote: None };
const CANDIDATE: OptionType = OptionType { set: 1, vote: None };
/// An alternative as `rank` shows it, with its count.
const RANKED: OptionType = OptionType { set: 0, vote: Some(0) };

/// Ann is `seat`, Bob is `me` and the one `trustee`. Dan is absent. The second pass of a loop is going on.
#[derive(Default)]
pub(super) struct Sample {
    /// Whether draws are refused.
    pub refuses_draws: bool,
    /// The bare names that were read, and every draw.
    pub log: RefCell<Vec<String>>,
}

impl Sample {
    fn lookup(found: Option<Type>) -> Lookup {
        found.map_or(Lookup::Unknown, Lookup::Found)
    }

    /// How far a name is sure to be there.
    pub fn presence_of(read: &NameRead) -> ValuePresence {
        let attributes: Vec<&str> = read.attributes.iter().map(String::as_str).collect();
        match (read.name.as_deref(), attributes.as_slice()) {
            (Some("nobody" | "seats" | "candidate"), ["alive" | "name" | "letter"]) => ValuePresence::Given,
            (Some("nobody" | "seats" | "group" | "everyone" | "others" | "citizen" | "candidate"), [_, ..]) => {
                ValuePresence::Gaps
            }
            (Some("nobody"), []) => ValuePresence::Gaps,
            (None, ["count"]) => ValuePresence::Gaps,
            (Some("wave" | "lost"), _) | (Some("item"), ["key"]) => ValuePresence::Missing,
            (
                Some("seat" | "me" | "trustee" | "this") | None,
                ["name" | "alive" | "letter" | "index" | "contribute"],
            ) => ValuePresence::Given,
            (Some("seat" | "me" | "trustee" | "this") | None, [_, ..]) => ValuePresence::Missing,
            _ => ValuePresence::Given,
        }
    }
}

fn seat_attribute(name: &str) -> Option<Type> {
    match name {
        "name" | "role" => Some(Type::Text),
        "index" | "c" | "gross" | "gave" => Some(Type::Number),
        "present" | "alive" | "agree" => Some(Type::YesNo),
        "choice" => Some(Type::Option(ALTERNATIVE)),
        "ranking" => Some(Type::list_of(Type::Option(ALTERNATIVE))),
        "contribute" => Some(Type::Record(10)),
        "gifts" => Some(Type::Points(PointsOptions::Seats)),
        "marks" => Some(Type::Points(PointsOptions::Words(["park".to_owned(), "town hall".to_owned()].into()))),
        _ => None,
    }
}

impl Scope for Sample {
    fn find_name(&self, name: &str) -> Lookup {
        if name == "target" {
            return Lookup::Refused("`target` exists only inside a `per` form".to_owned());
        }
        Self::lookup(match name {
            "parameters" => Some(Type::Record(0)),
            "pass" => Some(Type::Record(1)),
            "item" => Some(Type::Record(2)),
            "rank" | "lost" => Some(Type::Record(3)),
            "round" | "wave" => Some(Type::Number),
            "seat" | "me" | "trustee" => Some(Type::Seat),
            "seats" | "everyone" | "group" | "others" | "nobody" | "citizen" => Some(Type::list_of(Type::Seat)),
            "candidate" => Some(Type::list_of(Type::Option(CANDIDATE))),
            "this" => Some(Type::Option(CANDIDATE)),
            "alternatives" => Some(Type::list_of(Type::Option(ALTERNATIVE))),
            _ => None,
        })
    }

    fn find_member(&self, name: &str, attribute: &str) -> Lookup {
        Self::lookup((name == "group" && attribute == "pot").then_some(Type::Number))
    }

    fn find_attribute(&self, holder: &Type, attribute: &str) -> Lookup {
        if *holder == Type::Record(1) && attribute == "final" {
            return Lookup::Refused("`pass.final` has no value under `until`; use `times`".to_owned());
        }
        Self::lookup(match (holder, attribute) {
            (Type::Seat, _) => seat_attribute(attribute),
            (Type::Record(0), "endowment" | "mpcr") => Some(Type::Number),
            (Type::Record(0), "strangers" | "punishment") => Some(Type::YesNo),
            (Type::Record(1), "number") => Some(Type::Number),
            (Type::Record(1), "first" | "last") => Some(Type::YesNo),
            (Type::Record(2), "title") => Some(Type::Text),
            (Type::Record(2), "key") => Some(Type::Number),
            (Type::Record(3), "decided") => Some(Type::YesNo),
            (Type::Record(3), "winner") => Some(Type::Option(RANKED)),
            (Type::Record(3), "options") => Some(Type::list_of(Type::Option(RANKED))),
            (Type::Record(10), "c") => Some(Type::Number),
            (Type::Option(_), "name" | "letter") => Some(Type::Text),
            (Type::Option(CANDIDATE), "author") => Some(Type::Seat),
            (Type::Option(CANDIDATE), "amount") | (Type::Option(RANKED), "count") => Some(Type::Number),
            _ => None,
        })
    }

    fn find_series(&self, series: Series, name: &str) -> Lookup {
        match (series, name) {
            (Series::Received | Series::Given, "p") => Lookup::Found(Type::Number),
            (Series::Received | Series::Given, "c") => Lookup::Refused("`c` is not asked for each target".to_owned()),
            (Series::Past | Series::AllPasses, "c" | "net" | "never") => Lookup::Found(Type::Number),
            (Series::Past | Series::AllPasses, "agree") => Lookup::Found(Type::YesNo),
            _ => Lookup::Unknown,
        }
    }

    fn refuse_function(&self, function: Function) -> Option<String> {
        let name = function.as_str();
        (self.refuses_draws && function.is_draw()).then(|| format!("`{name}` draws; draw in a `compute` phase"))
    }

    fn list_names(&self) -> Vec<String> {
        let names = "parameters pass item rank lost round wave seat me trustee seats everyone group others nobody citizen candidate \
                     this alternatives";
        names.split_whitespace().map(str::to_owned).collect()
    }

    fn list_attributes(&self, name: Option<&str>, holder: &Type) -> Vec<String> {
        let all = "name role index c gross gave present alive agree choice ranking contribute endowment mpcr strangers punishment \
                   number first last title key decided winner options letter author amount count";
        let has = |attribute: &&str| matches!(self.find_attribute(holder, attribute), Lookup::Found(_));
        let member = name.filter(|name| *name == "group").map(|_| "pot");
        all.split_whitespace().filter(has).chain(member).map(str::to_owned).collect()
    }

    fn list_series(&self, series: Series) -> Vec<String> {
        let has = |name: &&str| matches!(self.find_series(series, name), Lookup::Found(_));
        ["p", "c", "net", "never", "agree"].into_iter().filter(has).map(str::to_owned).collect()
    }
}

impl World for Sample {
    fn read_name(&self, name: &str) -> Option<Value> {
        self.log.borrow_mut().push(name.to_owned());
        let seats = |indices: &[u32]| Value::List(indices.iter().map(|index| Value::Seat(*index)).collect());
        let options = |numbers: &[u32]| Value::List(numbers.iter().map(|number| option(*number, None)).collect());
        Some(match name {
            "parameters" => Value::Record(RecordId(PARAMETERS)),
            "pass" => Value::Record(RecordId(PASS)),
            "item" => Value::Record(RecordId(ITEM)),
            "rank" => Value::Record(RecordId(RANK)),
            "lost" => Value::Record(RecordId(LOST)),
            "round" => number("1"),
            "wave" => Value::Missing,
            "seat" => Value::Seat(0),
            "me" | "trustee" => Value::Seat(1),
            "seats" => seats(&[0, 1, 2, 3]),
            "everyone" | "group" => seats(&[0, 1, 2]),
            "others" => seats(&[0, 2]),
            "citizen" => seats(&[0, 2, 3]),
            "nobody" => seats(&[]),
            "candidate" => options(&[10, 11]),
            "this" => option(11, None),
            "alternatives" => options(&[0, 1, 2]),
            _ => return None,
        })
    }

    fn read_member(&self, name: &str, attribute: &str) -> Option<Value> {
        let is_pot = name == "group" && attribute == "pot";
        self.log.borrow_mut().extend(is_pot.then(|| name.to_owned()));
        is_pot.then(|| number("30"))
    }

    fn read_attribute(&self, holder: &Value, attribute: &str) -> Option<Value> {
        match holder {
            Value::Seat(index) => read_seat(*index, attribute),
            Value::Option(option) => read_option(*option, attribute),
            Value::Record(RecordId(record)) => read_record(*record, attribute),
            _ => None,
        }
    }

    fn read_series(&self, series: Series, name: &str) -> Option<Arc<[Value]>> {
        self.log.borrow_mut().push(name.to_owned());
        let values: &[&str] = match (series, name) {
            (Series::Past, "c") => &["8", "5.5"],
            (Series::AllPasses, "c") => &["8", "5.5", "20"],
            (Series::Past, "net") => &["1.5", "missing"],
            (Series::AllPasses, "net") => &["1.5", "missing", "2.25"],
            (Series::Past | Series::AllPasses, "agree") => {
                return Some([Value::YesNo(true), Value::YesNo(false)].into());
            }
            (Series::Past | Series::AllPasses, "never") => &[],
            (Series::Received, "p") => &["1", "missing", "2"],
            (Series::Given, "p") => &["4"],
            _ => return None,
        };
        Some(values.iter().map(|text| number(text)).collect())
    }

    fn draw_below(&mut self, place: DrawPlace, bound: u64) -> u64 {
        let DrawPlace { site, repetition, step } = place;
        self.log.borrow_mut().push(format!("draw {site}.{repetition}.{step} below {bound}"));
        u64::from(site * 5 + repetition * 3 + step + 1) % bound
    }
}

/// A number, or missing.
fn number(text: &str) -> Value {
    Fraction::parse(text).map_or(Value::Missing, Value::Number)
}

fn option(option: u32, vote: Option<u32>) -> Value {
    Value::Option(OptionValue { option, vote })
}

fn yes_no(text: &str) -> Value {
    match text {
        "yes" => Value::YesNo(true),
        "no" => Value::YesNo(false),
        _ => Value::Missing,
    }
}

fn read_seat(index: u32, attribute: &str) -> Option<Value> {
    let place = index as usize;
    Some(match attribute {
        "name" => Value::Text(NAMES[place].into()),
        "role" => Value::Text(if index == 1 { "trustee" } else { "citizen" }.into()),
        "index" => Value::Number((index + 1).into()),
        "present" => Value::YesNo(index < 3),
        "c" => number(["20", "0", "missing", "10"][place]),
        "gross" => number(["8", "28", "missing", "18"][place]),
        "gave" => number(["missing", "12.5", "missing", "missing"][place]),
        "alive" => Value::YesNo(index != 2),
        "agree" => yes_no(["yes", "missing", "no", "yes"][place]),
        "choice" => [option(0, None), option(1, None), Value::Missing, option(0, None)][place].clone(),
        "ranking" => {
            let orders: [&[u32]; 4] = [&[2, 0, 1], &[1, 0], &[], &[0]];
            let options = orders[place].iter().map(|number| option(*number, None)).collect();
            if index == 2 { Value::Missing } else { Value::List(options) }
        }
        "contribute" => Value::Record(RecordId(CONTRIBUTE + u64::from(index))),
        "gifts" if index == 2 => Value::Missing,
        "gifts" => {
            let others = (0..3).filter(|other| *other != index);
            Value::Points(others.map(|other| (Value::Seat(other), (10 * other + index).into())).collect())
        }
        "marks" => {
            let words = ["park", "town hall"].map(|word| (Value::Text(word.into()), Fraction::from(word.len() as u32)));
            Value::Points(words.into())
        }
        _ => return None,
    })
}

fn read_option(option: OptionValue, attribute: &str) -> Option<Value> {
    let place = option.option as usize;
    Some(match attribute {
        "name" | "letter" => Value::Text(["A", "B", "C", "", "", "", "", "", "", "", "K", "L"][place].into()),
        "author" => Value::Seat(option.option - 10),
        "amount" => number(if option.option == 10 { "7.5" } else { "missing" }),
        "count" => {
            option.vote?;
            number(["2", "1", "0"][place])
        }
        _ => return None,
    })
}

fn read_record(record: u64, attribute: &str) -> Option<Value> {
    Some(match (record, attribute) {
        (PARAMETERS, "endowment") => number("20"),
        (PARAMETERS, "mpcr") => number("0.4"),
        (PARAMETERS, "strangers") => Value::YesNo(false),
        (PARAMETERS, "punishment") => Value::YesNo(true),
        (PASS, "number") => number("2"),
        (PASS, "first" | "last") => Value::YesNo(false),
        (ITEM, "title") => Value::Text("Tax".into()),
        (ITEM, "key") => Value::Missing,
        (RANK, "decided") => Value::YesNo(true),
        (RANK, "winner") => option(0, Some(0)),
        (RANK, "options") => Value::List((0..3).map(|number| option(number, Some(0))).collect()),
        (LOST, "decided") => Value::YesNo(false),
        (LOST, "winner" | "options") => Value::Missing,
        (seat @ CONTRIBUTE.., "c") => read_seat(u32::try_from(seat - CONTRIBUTE).ok()?, "c")?,
        _ => return None,
    })
}
