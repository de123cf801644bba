//! Units of values, and axes: from values to coordinates, with their ticks.

use crate::text::extend_decimals;

/// The unit of a value, which decides how it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueUnit {
    /// A share from 0 to 1, written in per cent.
    Percent,
    /// A difference of shares, written in percentage points with its sign.
    Points,
    /// A number.
    Number,
    /// A difference of numbers, written with its sign.
    Difference,
    /// A whole number.
    Count,
    /// Dollars.
    Dollars,
}

impl ValueUnit {
    /// The name in `figures.csv`.
    pub fn name(self) -> &'static str {
        match self {
            ValueUnit::Percent => "share",
            ValueUnit::Points => "difference_of_shares",
            ValueUnit::Number => "number",
            ValueUnit::Difference => "difference",
            ValueUnit::Count => "count",
            ValueUnit::Dollars => "dollars",
        }
    }

    /// Writes a number: whole ones without decimals, others with three significant digits.
    pub fn write_plain(value: f64) -> String {
        let unit = if value.fract() == 0.0 { ValueUnit::Count } else { ValueUnit::Number };
        unit.write(value)
    }

    /// Writes a value: shares and counts as whole numbers, other numbers with three significant digits. A number or a difference reads as
    /// zero only if it is zero, because on which side of zero it lies matters.
    pub fn write(self, value: f64) -> String {
        let value = value + 0.0;
        match self {
            ValueUnit::Percent => format!("{:.0} %", round(100.0 * value)),
            ValueUnit::Points => match extend_decimals(100.0 * value, 0) {
                0 => sign(format!("{:+.0}", round(100.0 * value))),
                decimals => sign(format!("{:+.decimals$}", 100.0 * value)),
            },
            // A median of whole numbers can end in a half.
            ValueUnit::Count if (2.0 * value).fract() == 0.0 && value.fract() != 0.0 => group(format!("{value:.1}")),
            ValueUnit::Count => group(format!("{:.0}", round(value))),
            ValueUnit::Dollars => format!("${}", group(format!("{value:.2}"))),
            ValueUnit::Number => sign(group(format!("{value:.*}", extend_decimals(value, decimals(value))))),
            ValueUnit::Difference => sign(format!("{value:+.*}", extend_decimals(value, decimals(value)))),
        }
    }
}

/// Rounds halves away from zero, also those that binary fractions miss by a little.
fn round(value: f64) -> f64 {
    (value + value.signum() * 1e-9).round()
}

/// The decimals that give three significant digits.
fn decimals(value: f64) -> usize {
    match value.abs() {
        size if size >= 100.0 => 0,
        size if size >= 10.0 => 1,
        size if size >= 1.0 => 2,
        _ => 3,
    }
}

/// Writes a true minus sign, and no sign for zero.
fn sign(text: String) -> String {
    let digits = text.trim_start_matches(['+', '-', '−']);
    match digits.chars().all(|c| c == '0' || c == '.') {
        true => digits.to_owned(),
        false => text.replace('-', "−"),
    }
}

/// Separates groups of three digits before the decimal point by a thin space.
fn group(text: String) -> String {
    let (whole, rest) = text.split_once('.').map_or((text.as_str(), ""), |(whole, rest)| (whole, rest));
    let digits = whole.trim_start_matches('-');
    if digits.len() <= 3 {
        return text.replace('-', "−");
    }
    let mut out = if whole.starts_with('-') { "−".to_owned() } else { String::new() };
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place) % 3 == 0 {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    if rest.is_empty() { out } else { format!("{out}.{rest}") }
}

/// An axis laid out between two coordinates.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    begin: f64,
    end: f64,
    step: f64,
}

impl Scale {
    /// Lays out values between two coordinates with about `ticks` ticks. Without a range the axis covers the values, and zero if
    /// they are all on one side of it and near it.
    pub fn new(values: impl Iterator<Item = f64>, range: Option<(f64, f64)>, place: (f64, f64), ticks: f64) -> Self {
        let (least, greatest) = find_extent(values);
        let is_near_zero = least > 0.0 && least < 0.7 * greatest || greatest < 0.0 && greatest > 0.7 * least;
        let fitted = match is_near_zero {
            true => (least.min(0.0), greatest.max(0.0)),
            false if least == greatest => (least.min(0.0), if greatest > 0.0 { greatest } else { least + 1.0 }),
            false => (least, greatest),
        };
        let (low, high) = range.unwrap_or(fitted);
        let step = nice_step((high - low) / ticks);
        let (low, high) = match range {
            Some(range) => range,
            None => ((low / step).floor() * step, (high / step).ceil() * step),
        };
        let high = if high > low { high } else { low + step };
        Self { low, high, begin: place.0, end: place.1, step }
    }

    /// The coordinate of a value, within the axis.
    pub fn place(&self, value: f64) -> f64 {
        let share = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        self.begin + share * (self.end - self.begin)
    }

    /// The values of the ticks.
    pub fn ticks(&self) -> Vec<f64> {
        let first = (self.low / self.step).ceil();
        let count = ((self.high - self.low) / self.step + 1e-9).floor() as u64;
        (0..=count).map(|tick| (first + tick as f64) * self.step).filter(|tick| *tick <= self.high + 1e-9).collect()
    }

    /// Writes the value of a tick with the decimals of the step.
    pub fn write(&self, value: f64, unit: ValueUnit) -> String {
        // As many decimals as the step has, of which 2.5 has one more than its power of ten.
        let is_enough = |decimals: &usize| {
            let scaled = self.step * 10f64.powi(*decimals as i32);
            (scaled - scaled.round()).abs() < 1e-6
        };
        let decimals = (0..9).find(is_enough).unwrap_or(9);
        match unit {
            ValueUnit::Number | ValueUnit::Count => group(format!("{:.*}", decimals, value + 0.0)),
            ValueUnit::Difference => sign(format!("{:+.*}", decimals, value)),
            ValueUnit::Dollars => format!("${}", group(format!("{:.*}", decimals.min(2), value + 0.0))),
            ValueUnit::Percent | ValueUnit::Points => unit.write(value),
        }
    }

    /// Whether the axis includes a value.
    pub fn includes(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

/// The least and the greatest of some values; 0 and 1 if there are none.
pub(super) fn find_extent(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (least, greatest) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    if least > greatest { (0.0, 1.0) } else { (least, greatest) }
}

/// The least of 1, 2, 2.5 and 5 times a power of ten that is no less than a step.
pub(super) fn nice_step(step: f64) -> f64 {
    if !(step.is_finite() && step > 0.0) {
        return 1.0;
    }
    let power = 10f64.powf(step.log10().floor());
    let factors = [1.0, 2.0, 2.5, 5.0, 10.0];
    factors.into_iter().map(|factor| factor * power).find(|nice| *nice >= step * (1.0 - 1e-9)).unwrap_or(10.0 * power)
}
