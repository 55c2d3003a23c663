//! A model as text: one line for each class, target and word.
//!
//! ```text
//! locavore classifier 2
//! made 2006-05-23
//! class 2000 none
//! class 16500 Cn1 Eastern
//! target 1 4140963 Washington, DC
//! words 1
//! word potomac 0 51
//! ```
//!
//! A class has the number of its examples, a target the number of its class
//! and its GeoNames id, a word how often it was seen, by class. How many words
//! there are stands before them, so that a file cut short is not taken for whole.

use super::{Class, Model, ModelError, NONE};
use std::fmt::Write;

/// The format that this program reads and writes.
const FORMAT: u32 = 2;
const TITLE: &str = "locavore classifier ";

impl Model {
    /// The model as text.
    pub fn to_text(&self) -> String {
        let mut text = format!("{TITLE}{FORMAT}\nmade {}\n", self.made);
        // Writing to a string cannot fail.
        for class in &self.classes {
            let _ = writeln!(text, "class {} {}", class.n_examples, class.name);
        }
        for (class_idx, class) in self.classes.iter().enumerate() {
            for (id, name) in &class.targets {
                let _ = writeln!(text, "target {class_idx} {id} {name}");
            }
        }
        let _ = writeln!(text, "words {}", self.vocabulary.len());
        for (word, counts) in &self.vocabulary {
            let _ = write!(text, "word {word}");
            for count in counts {
                let _ = write!(text, " {count}");
            }
            text.push('\n');
        }
        text
    }

    /// Reads what `to_text` wrote.
    pub fn from_text(text: &str) -> Result<Model, ModelError> {
        let mut lines = text.lines().zip(1..);
        let title = lines.next().and_then(|(line, _)| line.strip_prefix(TITLE));
        let format = title.and_then(|format| format.parse().ok());
        match format.ok_or(ModelError::NotAModel)? {
            FORMAT => {}
            found => {
                let known = FORMAT;
                return Err(ModelError::OtherFormat { found, known });
            }
        }
        let mut draft = Draft::default();
        let mut last = 1;
        for (text, line) in lines {
            draft.read(text).ok_or(ModelError::Garbled { line })?;
            last = line;
        }
        if draft.classes.len() < 2 {
            return Err(ModelError::NotAModel);
        }
        if !draft.is_whole() {
            return Err(ModelError::Garbled { line: last });
        }
        Ok(Model::new(draft.made, draft.classes, draft.vocabulary))
    }
}

#[derive(Default)]
struct Draft {
    made: String,
    classes: Vec<Class>,
    n_words: Option<usize>,
    vocabulary: Vec<(String, Vec<u32>)>,
}

impl Draft {
    /// Whether nothing is missing: all words are there, and every share has targets.
    fn is_whole(&self) -> bool {
        let mut shares = self.classes.iter().skip(NONE + 1);
        self.n_words == Some(self.vocabulary.len()) && shares.all(|class| !class.targets.is_empty())
    }

    /// Takes one line in; none if it makes no sense.
    fn read(&mut self, line: &str) -> Option<()> {
        let (kind, rest) = line.split_once(' ')?;
        match kind {
            "made" => self.made = rest.to_owned(),
            "class" => {
                let (n_examples, name) = rest.split_once(' ')?;
                self.classes.push(Class {
                    name: name.to_owned(),
                    n_examples: n_examples.parse().ok()?,
                    targets: Vec::new(),
                });
            }
            "target" => {
                let mut parts = rest.splitn(3, ' ');
                let class_idx: usize = parts.next()?.parse().ok()?;
                let target = (parts.next()?.parse().ok()?, parts.next()?.to_owned());
                let class = self.classes.get_mut(class_idx);
                class.filter(|_| class_idx != NONE)?.targets.push(target);
            }
            "words" => self.n_words = Some(rest.parse().ok()?),
            "word" => {
                let mut parts = rest.split(' ');
                let word = parts.next()?.to_owned();
                let counts: Result<Vec<u32>, _> = parts.map(str::parse).collect();
                let counts = counts.ok()?;
                (counts.len() == self.classes.len()).then_some(())?;
                self.vocabulary.push((word, counts));
            }
            _ => return None,
        }
        Some(())
    }
}
