//! The data of a figure: its marks, its form and its captions.

use indexmap::IndexSet;

use super::scale::ValueUnit;

/// The number of colours of each palette. Further arms or options begin again at the first.
pub const PALETTE_SIZE: usize = 8;
/// The colours of arms: dark enough for text on white.
pub(super) const ARMS: [&str; PALETTE_SIZE] =
    ["#0b6bb0", "#b84a00", "#14795a", "#a1327c", "#7a6400", "#4a4fb5", "#9c2f2f", "#4f6470"];
/// The colours of options: neighbours differ in lightness, so that they stay apart in greyscale.
pub(super) const CHOICES: [&str; PALETTE_SIZE] =
    ["#1f4e9e", "#f2b134", "#1f7a6c", "#f4d9e6", "#8b2f73", "#a8d5f2", "#6b4a1f", "#c6e377"];
pub(super) const NOTHING: &str = "#c3c8cf";

/// One figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The name of its files, `[a-z0-9-]+`.
    pub name: String,
    /// The heading.
    pub title: String,
    /// The finding, as the first sentence of the caption.
    pub finding: String,
    /// How to read the figure: what marks, intervals and n are, and what the figure does not show.
    pub reading: String,
    /// How the marks are drawn.
    pub form: FigureForm,
    /// The marks, in drawing order.
    pub marks: Vec<FigureMark>,
}

/// How the marks of a figure are drawn.
#[derive(Debug, Clone, PartialEq)]
pub enum FigureForm {
    /// A row for each mark: a point with its interval on an axis that all rows share.
    Dots {
        /// The axis from left to right.
        axis: Axis,
        /// A value to compare with, and its name; drawn as a dashed line.
        reference: Option<(f64, String)>,
    },
    /// A line for each series, with a band from the low to the high value of each mark.
    Lines {
        /// The axis from left to right.
        across: Axis,
        /// Names of the positions 1, 2, … on the axis from left to right; if empty, the axis is numeric.
        categories: Vec<String>,
        /// The axis from bottom to top.
        upwards: Axis,
    },
    /// A cell for each mark, at its series (row) and position (column).
    Grid {
        /// The columns from left to right.
        columns: Vec<String>,
        /// What the columns are.
        across: String,
        /// What the rows are.
        upwards: String,
        /// The unit of the values.
        unit: ValueUnit,
        /// The meaning of each colour; empty if cells are shaded by their value.
        legend: Vec<(String, Colour)>,
    },
    /// Ribbons from positions of one stage to positions of the next. A mark goes from its series to its position; its panel is the
    /// name of the left stage.
    Flow {
        /// The stages from left to right.
        stages: Vec<String>,
        /// All positions from top to bottom.
        positions: Vec<(String, Colour)>,
    },
}

/// An axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// The label.
    pub label: String,
    /// The unit of its values.
    pub unit: ValueUnit,
    /// The least and the greatest value shown; `None` to fit the marks.
    pub range: Option<(f64, f64)>,
}

/// One mark: a row of the figure's data.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FigureMark {
    /// The panel; empty if the figure has one.
    pub panel: String,
    /// The row, line or position of origin.
    pub series: String,
    /// The position on the axis from left to right, the column, or the position of destination.
    pub at: At,
    /// How far beside its position on an axis it is drawn, so that lines do not cover each other. The data leaves it out.
    pub beside: f64,
    /// The value; `None` if the mark is a text.
    pub value: Option<f64>,
    /// The text of a cell.
    pub text: String,
    /// The lower end of the interval.
    pub low: Option<f64>,
    /// The upper end of the interval.
    pub high: Option<f64>,
    /// The number of observations.
    pub n: Option<u64>,
    /// The colour.
    pub colour: Colour,
    /// Whether the mark is emphasised.
    pub is_marked: bool,
}

/// A position.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum At {
    /// None.
    #[default]
    Nowhere,
    /// On an axis.
    Number(f64),
    /// A column or a destination.
    Name(String),
}

/// What a colour stands for. Arms and options have separate palettes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Colour {
    /// An arm, by its index in the design.
    Arm(usize),
    /// An option, by its index in the scenario.
    Choice(usize),
    /// No decision, or no position.
    #[default]
    Nothing,
}

impl Axis {
    /// An axis that fits its marks.
    pub fn new(label: impl Into<String>, unit: ValueUnit) -> Self {
        Self { label: label.into(), unit, range: None }
    }

    /// An axis of shares from 0 to 100 %.
    pub fn of_shares(label: impl Into<String>) -> Self {
        Self { label: label.into(), unit: ValueUnit::Percent, range: Some((0.0, 1.0)) }
    }
}

impl Figure {
    /// The names of the data columns that hold anything, in order.
    pub fn columns(&self) -> Vec<&'static str> {
        let has = |is: fn(&FigureMark) -> bool| self.marks.iter().any(is);
        let columns = [
            ("panel", has(|mark| !mark.panel.is_empty())),
            ("series", has(|mark| !mark.series.is_empty())),
            ("at", has(|mark| mark.at != At::Nowhere)),
            ("value", true),
            ("text", has(|mark| !mark.text.is_empty())),
            ("low", has(|mark| mark.low.is_some())),
            ("high", has(|mark| mark.high.is_some())),
            ("n", has(|mark| mark.n.is_some())),
            ("colour", !self.is_shaded()),
        ];
        columns.into_iter().filter(|(_, is_used)| *is_used).map(|(name, _)| name).collect()
    }

    /// The data as CSV: a header, then a row for each mark. Numbers are written in full.
    pub fn csv(&self) -> String {
        let columns = self.columns();
        let mut writer = csv::Writer::from_writer(Vec::new());
        let wrote = |result: csv::Result<()>| result.expect("invariant: memory takes what is written");
        wrote(writer.write_record(&columns));
        for mark in &self.marks {
            wrote(writer.write_record(columns.iter().map(|column| mark.cell(column))));
        }
        let bytes = writer.into_inner().expect("invariant: memory takes what is written");
        String::from_utf8(bytes).expect("invariant: CSV of texts is text")
    }

    /// Whether cells are shaded by their value, so that marks have no colour of their own.
    fn is_shaded(&self) -> bool {
        matches!(&self.form, FigureForm::Grid { legend, .. } if legend.is_empty())
    }

    /// The figure's row of `figures.csv`, by column.
    pub fn describe(&self) -> [(&'static str, String); 9] {
        let (form, across, upwards) = match &self.form {
            FigureForm::Dots { axis, .. } => ("dots", axis.label.as_str(), ""),
            FigureForm::Lines { across, upwards, .. } => ("lines", across.label.as_str(), upwards.label.as_str()),
            FigureForm::Grid { across, upwards, .. } => ("grid", across.as_str(), upwards.as_str()),
            FigureForm::Flow { stages, .. } => ("flow", stages.last().map_or("", String::as_str), "seats"),
        };
        let reference = match &self.form {
            FigureForm::Dots { reference: Some((value, _)), .. } => value.to_string(),
            _ => String::new(),
        };
        [
            ("name", self.name.clone()),
            ("title", self.title.clone()),
            ("finding", self.finding.clone()),
            ("reading", self.reading.clone()),
            ("form", form.to_owned()),
            ("across", across.to_owned()),
            ("upwards", upwards.to_owned()),
            ("unit", self.unit().name().to_owned()),
            ("reference", reference),
        ]
    }

    /// The unit of the values.
    pub fn unit(&self) -> ValueUnit {
        match &self.form {
            FigureForm::Dots { axis, .. } => axis.unit,
            FigureForm::Lines { upwards, .. } => upwards.unit,
            FigureForm::Grid { unit, .. } => *unit,
            FigureForm::Flow { .. } => ValueUnit::Count,
        }
    }
}

impl FigureMark {
    /// The cell of a column of the data; empty without a value.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn cell(&self, column: &str) -> String {
        // Adding 0 turns a negative zero into zero.
        let number = |value: Option<f64>| value.map_or(String::new(), |value| (value + 0.0).to_string());
        match column {
            "panel" => self.panel.clone(),
            "series" => self.series.clone(),
            "at" => match &self.at {
                At::Nowhere => String::new(),
                At::Number(number) => number.to_string(),
                At::Name(name) => name.clone(),
            },
            "value" => number(self.value),
            "text" => self.text.clone(),
            "low" => number(self.low),
            "high" => number(self.high),
            "n" => self.n.map_or(String::new(), |n| n.to_string()),
            "colour" => self.colour.hex().to_owned(),
            other => panic!("invariant: {other} is a column of a figure"),
        }
    }
}

/// The distinct values of a text of marks, in order of appearance.
pub(super) fn distinct<'m>(
    marks: impl IntoIterator<Item = &'m FigureMark>,
    text: fn(&FigureMark) -> &str,
) -> Vec<&'m str> {
    marks.into_iter().map(text).collect::<IndexSet<&str>>().into_iter().collect()
}

impl Colour {
    /// The colour on light ground. Colours beyond the palette begin again; labels and point marks tell them apart.
    pub fn hex(self) -> &'static str {
        match self {
            Colour::Arm(place) => ARMS[place % PALETTE_SIZE],
            Colour::Choice(place) => CHOICES[place % PALETTE_SIZE],
            Colour::Nothing => NOTHING,
        }
    }
}
