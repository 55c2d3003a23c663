//! Dots on a map, the larger the more there is.
//!
//! The United States are drawn in Albers' equal-area projection with Alaska
//! and Hawaii beside them; any other part of the world as degrees, zoomed to
//! where the dots are.

use super::outlines::{self, Layer, Position};
use super::svg::{Anchor, Drawing, Escaped, LINE, WIDTH, width_of};
use super::{N_COLOURS, Unit};
use std::fmt::Write;

/// A map with dots.
#[derive(Debug, Clone, PartialEq)]
pub struct Map {
    /// What it shows, for those who cannot see it.
    pub title: String,
    /// What the size of a dot says: `geo pages`.
    pub what: String,
    /// Which part of the world.
    pub frame: Frame,
    /// What is on it.
    pub dots: Vec<Dot>,
}

/// Which part of the world a map shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame {
    /// All fifty states.
    UnitedStates,
    /// Whatever holds all dots.
    World,
}

/// Something at a place.
#[derive(Debug, Clone, PartialEq)]
pub struct Dot {
    /// What the place is called.
    pub name: String,
    /// Degrees north.
    pub lat: f64,
    /// Degrees east.
    pub lon: f64,
    /// How much of it.
    pub value: f64,
    /// Number of its colour: that of its series.
    pub colour: usize,
}

const HEIGHT: f64 = 320.0;

/// Radius of the largest dot.
const MOST_RADIUS: f64 = 17.0;

/// Dots with their names beside them, where there is room.
const MOST_NAMES: usize = 12;

impl Map {
    /// The figure as SVG.
    pub fn render(&self) -> String {
        let projection = match self.frame {
            Frame::UnitedStates => Projection::united_states(),
            Frame::World => Projection::around(&self.dots),
        };
        let mut drawing = Drawing::new();
        // An inner picture cuts off what reaches beyond it.
        drawing.raw(format_args!(
            r#"<svg width="{WIDTH:.0}" height="{HEIGHT:.0}" viewBox="0 0 {WIDTH:.0} {HEIGHT:.0}">"#
        ));
        match self.frame {
            Frame::UnitedStates => {
                draw(&mut drawing, &projection, Layer::UnitedStates, "land");
                draw(&mut drawing, &projection, Layer::States, "border");
            }
            Frame::World => draw(&mut drawing, &projection, Layer::World, "land"),
        }
        self.draw_dots(&mut drawing, &projection);
        drawing.raw(format_args!("</svg>"));
        let most = self.most();
        let scale = format!("largest dot: {} {}", Unit::Count.write(most), self.what);
        drawing.text((WIDTH, HEIGHT + LINE), Anchor::End, "axis", &scale);
        drawing.finish(HEIGHT + LINE + 6.0, &self.title)
    }

    fn most(&self) -> f64 {
        self.dots.iter().map(|dot| dot.value).fold(0.0, f64::max)
    }

    fn draw_dots(&self, drawing: &mut Drawing, projection: &Projection) {
        let most = self.most().max(f64::MIN_POSITIVE);
        let mut largest_first: Vec<&Dot> = self.dots.iter().collect();
        largest_first.sort_by(|a, b| b.value.total_cmp(&a.value).then(a.name.cmp(&b.name)));
        let radius = |dot: &Dot| 1.5 + (MOST_RADIUS - 1.5) * (dot.value.max(0.0) / most).sqrt();
        for dot in &largest_first {
            let (x, y) = projection.place((dot.lon, dot.lat));
            let class = match dot.value > 0.0 {
                true => format!("dot c{}", dot.colour % N_COLOURS),
                false => "dot none".to_owned(),
            };
            let value = Unit::Count.write(dot.value);
            drawing.raw(format_args!(
                r#"<circle cx="{x:.1}" cy="{y:.1}" r="{:.1}" class="{class}"><title>{}: {value} {}</title></circle>"#,
                radius(dot),
                Escaped(&dot.name),
                Escaped(&self.what)
            ));
        }
        let mut taken: Vec<Area> = Vec::new();
        for dot in largest_first
            .iter()
            .take(MOST_NAMES)
            .filter(|dot| dot.value > 0.0)
        {
            let (x, y) = projection.place((dot.lon, dot.lat));
            let width = width_of(&dot.name);
            let is_right = x + radius(dot) + width + 4.0 < WIDTH;
            let (from, anchor) = match is_right {
                true => (x + radius(dot) + 2.0, Anchor::Start),
                false => (x - radius(dot) - 2.0, Anchor::End),
            };
            let left = if is_right { from } else { from - width };
            let area = Area {
                left,
                top: y - 8.0,
                width,
                height: 15.0,
            };
            if taken.iter().all(|other| !other.meets(&area)) {
                drawing.text((from, y + 4.0), anchor, "name", &dot.name);
                taken.push(area);
            }
        }
    }
}

/// A stretch of paper that a name covers.
struct Area {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl Area {
    fn meets(&self, other: &Area) -> bool {
        self.left < other.left + other.width
            && other.left < self.left + self.width
            && self.top < other.top + other.height
            && other.top < self.top + self.height
    }
}

fn draw(drawing: &mut Drawing, projection: &Projection, layer: Layer, class: &str) {
    let mut path = String::new();
    for line in outlines::lines(layer) {
        let points: Vec<(f64, f64)> = line
            .iter()
            .map(|position| projection.place_beside(*position, line[0]))
            .collect();
        let is_seen = |(x, y): &(f64, f64)| {
            (-WIDTH..2.0 * WIDTH).contains(x) && (-HEIGHT..2.0 * HEIGHT).contains(y)
        };
        if !points.iter().any(is_seen) {
            continue;
        }
        for (idx, (x, y)) in points.iter().enumerate() {
            let step = if idx == 0 { 'M' } else { 'L' };
            let _ = write!(path, "{step}{x:.1} {y:.1}");
        }
    }
    drawing.raw(format_args!(r#"<path d="{path}" class="{class}"/>"#));
}

/// Where a position lies on paper.
enum Projection {
    /// The forty-eight states, Alaska and Hawaii.
    UnitedStates([Conic; 3]),
    /// Degrees: the middle, and units of paper per degree.
    Degrees { middle: Position, scale: (f64, f64) },
}

impl Projection {
    fn united_states() -> Projection {
        // Sizes and places of Alaska and Hawaii as on most such maps.
        let scale = 655.0;
        let (x, y) = (WIDTH / 2.0, HEIGHT / 2.0 - 8.0);
        Projection::UnitedStates([
            Conic::new((29.5, 45.5), (-96.6, 38.7), -96.0, scale, (x, y)),
            Conic::new(
                (55.0, 65.0),
                (-156.0, 58.5),
                -154.0,
                scale * 0.35,
                (x - 0.307 * scale, y + 0.201 * scale),
            ),
            Conic::new(
                (8.0, 18.0),
                (-160.0, 19.9),
                -157.0,
                scale,
                (x - 0.205 * scale, y + 0.212 * scale),
            ),
        ])
    }

    fn around(dots: &[Dot]) -> Projection {
        let span = |of: fn(&Dot) -> f64| {
            let low = dots.iter().map(of).fold(f64::INFINITY, f64::min);
            let high = dots.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
            match low <= high {
                true => ((low + high) / 2.0, (high - low).max(3.0)),
                false => (0.0, 160.0),
            }
        };
        let (north, tall) = span(|dot| dot.lat);
        let (east, wide) = span(|dot| dot.lon);
        // A degree of longitude is shorter away from the equator.
        let narrowing = north.to_radians().cos().max(0.2);
        let inside = 0.72;
        let by_width = WIDTH * inside / (wide * narrowing);
        let per_degree = by_width.min(HEIGHT * inside / tall);
        Projection::Degrees {
            middle: (east, north),
            scale: (per_degree * narrowing, per_degree),
        }
    }

    fn place(&self, position: Position) -> (f64, f64) {
        self.place_beside(position, position)
    }

    /// The place of a position, drawn with the part of the map that `other` is on.
    fn place_beside(&self, position: Position, other: Position) -> (f64, f64) {
        match self {
            Projection::UnitedStates(parts) => parts[part_of(other)].place(position),
            Projection::Degrees { middle, scale } => (
                WIDTH / 2.0 + (position.0 - middle.0) * scale.0,
                HEIGHT / 2.0 - (position.1 - middle.1) * scale.1,
            ),
        }
    }
}

/// The forty-eight states, Alaska or Hawaii.
fn part_of((east, north): Position) -> usize {
    match (east, north) {
        (east, north) if north > 50.0 && !(-129.0..170.0).contains(&east) => 1,
        (east, north) if north < 25.0 && east < -150.0 => 2,
        _ => 0,
    }
}

/// Albers' projection with two true parallels.
struct Conic {
    n: f64,
    c: f64,
    meridian: f64,
    scale: f64,
    /// Where the projection's origin comes to lie on paper.
    origin: (f64, f64),
}

impl Conic {
    /// `centre` comes to lie at `at` on paper.
    fn new(
        parallels: (f64, f64),
        centre: Position,
        meridian: f64,
        scale: f64,
        at: (f64, f64),
    ) -> Conic {
        let (south, north) = (
            parallels.0.to_radians().sin(),
            parallels.1.to_radians().sin(),
        );
        let n = (south + north) / 2.0;
        let mut conic = Conic {
            n,
            c: 1.0 + south * (2.0 * n - south),
            meridian,
            scale,
            origin: (0.0, 0.0),
        };
        let (x, y) = conic.place(centre);
        conic.origin = (at.0 - x, at.1 - y);
        conic
    }

    fn place(&self, (east, north): Position) -> (f64, f64) {
        let east = (east - self.meridian + 540.0).rem_euclid(360.0) - 180.0;
        let angle = self.n * east.to_radians();
        let rho = (self.c - 2.0 * self.n * north.to_radians().sin())
            .max(0.0)
            .sqrt()
            / self.n;
        (
            self.origin.0 + self.scale * rho * angle.sin(),
            self.origin.1 + self.scale * rho * angle.cos(),
        )
    }
}
