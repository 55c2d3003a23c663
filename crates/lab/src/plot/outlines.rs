//! Coasts and borders to put dots on, as `cargo xtask outlines` wrote them.

/// What is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layer {
    UnitedStates,
    States,
    World,
}

/// Degrees east and north.
pub(super) type Position = (f64, f64);

const FILE: &str = include_str!("../../../../data/outlines.txt");

/// The lines of one layer.
pub(super) fn lines(layer: Layer) -> impl Iterator<Item = Vec<Position>> {
    let wanted = match layer {
        Layer::UnitedStates => "us",
        Layer::States => "us-states",
        Layer::World => "world",
    };
    FILE.lines().filter_map(move |line| {
        let (name, steps) = line.split_once(' ')?;
        (name == wanted).then(|| positions(steps))
    })
}

/// Points from steps between them, in hundredths of a degree.
fn positions(steps: &str) -> Vec<Position> {
    let (mut east, mut north) = (0, 0);
    let steps = steps.split(' ').filter_map(|step| {
        let (dx, dy) = step.split_once(',')?;
        Some((dx.parse::<i32>().ok()?, dy.parse::<i32>().ok()?))
    });
    steps
        .map(|(dx, dy)| {
            (east, north) = (east + dx, north + dy);
            (f64::from(east) / 100.0, f64::from(north) / 100.0)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_layer_is_there_and_on_the_globe() {
        for layer in [Layer::UnitedStates, Layer::States, Layer::World] {
            let lines: Vec<Vec<Position>> = lines(layer).collect();
            assert!(lines.len() > 20, "{} lines of {layer:?}", lines.len());
            for (east, north) in lines.into_iter().flatten() {
                assert!(east.abs() <= 180.0 && north.abs() <= 90.0);
            }
        }
        assert!(FILE.len() < 60_000, "{} bytes", FILE.len());
    }
}
