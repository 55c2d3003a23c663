//! Axes: round numbers on them, and how they are written.

/// How the numbers of an axis are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// `0.25`
    Number,
    /// `25 %`, of a share
    Percent,
    /// `25,000`, short where room is: `25k`
    Count,
    /// `25 h`, of seconds
    Time,
}

impl Unit {
    /// A value as people read it.
    pub fn write(self, value: f64) -> String {
        match self {
            Unit::Number if value != 0.0 && value.abs() < 0.01 => format!("{value:.4}"),
            Unit::Number => trimmed(format!("{value:.3}")),
            Unit::Percent => format!("{:.2} %", value * 100.0),
            Unit::Count => grouped(value),
            Unit::Time => time(value),
        }
    }

    /// A round number, as short as it can be said.
    pub(super) fn write_tick(self, value: f64, step: f64) -> String {
        match self {
            Unit::Number => format!("{value:.*}", decimals(step)),
            Unit::Percent => format!("{:.*} %", decimals(step * 100.0), value * 100.0),
            Unit::Count => short(value),
            Unit::Time => time(value),
        }
    }
}

/// Digits after the point that a step needs.
fn decimals(step: f64) -> usize {
    let is_enough = |digits: &usize| {
        let scaled = step * 10f64.powf(*digits as f64);
        (scaled - scaled.round()).abs() < 1e-6
    };
    (0..6).find(is_enough).unwrap_or(6)
}

fn trimmed(text: String) -> String {
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// `12,345`
fn grouped(value: f64) -> String {
    let digits = format!("{:.0}", value.abs());
    let mut text = String::new();
    for (idx, digit) in digits.chars().enumerate() {
        if idx > 0 && (digits.len() - idx).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if value < 0.0 {
        format!("−{text}")
    } else {
        text
    }
}

/// `950`, `1.2k`, `35M`
pub(super) fn short(value: f64) -> String {
    let scales = [(1e9, "G"), (1e6, "M"), (1e3, "k")];
    match scales.iter().find(|(scale, _)| value.abs() >= *scale) {
        Some((scale, letter)) => {
            let scaled = value / scale;
            let text = match scaled.abs() < 10.0 {
                true => trimmed(format!("{scaled:.1}")),
                false => format!("{scaled:.0}"),
            };
            format!("{text}{letter}")
        }
        None => trimmed(format!("{value:.1}")),
    }
}

/// `12 s`, `5 min`, `2.5 h`, `14 d`
fn time(seconds: f64) -> String {
    let scales = [
        (86400.0 * 2.0, 86400.0, "d"),
        (7200.0, 3600.0, "h"),
        (120.0, 60.0, "min"),
    ];
    let found = scales.iter().find(|(least, _, _)| seconds.abs() >= *least);
    let (scale, unit) = found.map_or((1.0, "s"), |(_, scale, unit)| (*scale, *unit));
    format!("{} {unit}", trimmed(format!("{:.1}", seconds / scale)))
}

/// A stretch of numbers on a stretch of paper.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    from: (f64, f64),
    to: (f64, f64),
    step: f64,
}

/// Seconds between round moments.
const TIME_STEPS: [f64; 16] = [
    1.0, 5.0, 10.0, 30.0, 60.0, 300.0, 600.0, 1800.0, 3600.0, 7200.0, 14400.0, 21600.0, 43200.0,
    86400.0, 172_800.0, 604_800.0,
];

impl Scale {
    /// From zero (or the least value below it) to a round number beyond the
    /// largest value, with about so many steps.
    pub(super) fn over(
        values: impl Iterator<Item = f64>,
        paper: (f64, f64),
        n_steps: usize,
        unit: Unit,
    ) -> Scale {
        let (mut low, mut high) = (0.0_f64, 0.0_f64);
        for value in values.filter(|value| value.is_finite()) {
            (low, high) = (low.min(value), high.max(value));
        }
        if high <= low {
            high = low + 1.0;
        }
        let step = round_step((high - low) / n_steps as f64, unit);
        let from = ((low / step).floor() * step, (high / step).ceil() * step);
        Scale {
            from,
            to: paper,
            step,
        }
    }

    /// Ends at the largest value itself: room is not wasted to the right.
    pub(super) fn cut_at(mut self, high: f64) -> Scale {
        if high > self.from.0 && high.is_finite() {
            self.from.1 = high;
        }
        self
    }

    pub(super) fn place(&self, value: f64) -> f64 {
        let share = (value - self.from.0) / (self.from.1 - self.from.0);
        self.to.0 + share.clamp(0.0, 1.0) * (self.to.1 - self.to.0)
    }

    /// Round numbers, each with where it lies and what is written there.
    pub(super) fn ticks(&self, unit: Unit) -> Vec<(f64, String)> {
        let n_ticks = ((self.from.1 - self.from.0) / self.step + 1e-9).floor() as usize;
        let value = |idx: usize| self.from.0 + idx as f64 * self.step;
        (0..=n_ticks.min(50))
            .map(|idx| {
                (
                    self.place(value(idx)),
                    unit.write_tick(value(idx), self.step),
                )
            })
            .collect()
    }
}

fn round_step(rough: f64, unit: Unit) -> f64 {
    if unit == Unit::Time
        && let Some(step) = TIME_STEPS.iter().find(|step| **step >= rough)
    {
        return *step;
    }
    let power = 10f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0].map(|factor| factor * power);
    let least = if unit == Unit::Count { 1.0 } else { 0.0 };
    let found = steps.into_iter().find(|step| *step >= rough * 0.999);
    found.unwrap_or(10.0 * power).max(least)
}
