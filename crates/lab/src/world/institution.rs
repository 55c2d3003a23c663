//! Universities and hospitals with their real names and addresses.

/// What an institution is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Calling {
    University,
    Hospital,
}

/// One institution.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Institution {
    pub(crate) calling: Calling,
    pub(crate) name: &'static str,
    pub(crate) street: &'static str,
    pub(crate) city: &'static str,
    pub(crate) state: &'static str,
    pub(crate) zip: &'static str,
}

/// Built by `cargo xtask institutions`.
const TABLE: &str = include_str!("../../../../data/institutions.tsv");

/// Every institution there is, those of a city one after the other.
pub(crate) fn all() -> impl Iterator<Item = Institution> {
    TABLE.lines().filter_map(read)
}

fn read(line: &'static str) -> Option<Institution> {
    let mut cells = line.split('\t');
    let calling = match cells.next()? {
        "university" => Calling::University,
        "hospital" => Calling::Hospital,
        _ => return None,
    };
    let mut next = || cells.next();
    Some(Institution {
        calling,
        state: next()?,
        city: next()?,
        zip: next()?,
        street: next()?,
        name: next()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_but_the_first_is_an_institution() {
        assert_eq!(all().count(), TABLE.lines().count() - 1);
        let found = all().find(|one| one.name == "Sam Houston State University");
        assert_eq!(
            found.map(|one| (one.city, one.state)),
            Some(("Huntsville", "TX"))
        );
    }
}
