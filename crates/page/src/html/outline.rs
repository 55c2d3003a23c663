//! The elements that are open, and the path a link shows of them.
//!
//! Real markup leaves elements open and closes what was never opened. An end
//! tag closes what it finds near the top, and only that: looking further would
//! make a page of unmatched tags cost its square.

use std::sync::Arc;

use super::tags::Tag;

/// As deep as browsers go.
const MAX_DEPTH: usize = 512;

/// How many open elements an end tag looks at before it is ignored.
const MAX_SEARCH: usize = 64;

/// How many elements a tag path shows, the nearest ones.
const MAX_PATH: usize = 12;

/// The longest class or id on a tag path.
const MAX_LABEL: usize = 24;

/// Every path starts here, whether the document says so or not.
const ROOT: &str = "body";

/// How many different paths are kept for sharing.
const MAX_RECENT: usize = 8;

/// What an element does to what is inside it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Effect {
    /// Text is not shown.
    pub(super) unseen: bool,
    /// Neither text nor links count.
    pub(super) absent: bool,
    /// List items are menu items.
    pub(super) menu: bool,
}

#[derive(Debug)]
struct Open {
    tag: Tag,
    effect: Effect,
    /// Where it starts in `path`.
    path_start: usize,
    /// Length of the text when it was opened.
    mark: usize,
}

#[derive(Debug)]
pub(super) struct Outline {
    open: Vec<Open>,
    /// Open elements beyond `MAX_DEPTH`.
    n_deeper: usize,
    /// How often each tag is open.
    n_open: [u16; Tag::COUNT],
    n_unseen: usize,
    n_absent: usize,
    n_menus: usize,
    /// All open elements with their labels: `/div.menu/ul/li`.
    path: String,
    /// Whether the newest of `paths` is still the one to show.
    is_path_fresh: bool,
    /// Recent paths, the newest last: siblings and repeated menus share them.
    paths: Vec<Arc<str>>,
}

impl Outline {
    pub(super) fn new() -> Outline {
        Outline {
            open: Vec::with_capacity(32),
            n_deeper: 0,
            n_open: [0; Tag::COUNT],
            n_unseen: 0,
            n_absent: 0,
            n_menus: 0,
            path: String::new(),
            is_path_fresh: false,
            paths: Vec::new(),
        }
    }

    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    pub(super) fn is_open(&self, tag: Tag) -> bool {
        self.n_open[tag as usize] > 0
    }

    pub(super) fn is_unseen(&self) -> bool {
        self.n_unseen + self.n_absent > 0
    }

    pub(super) fn is_absent(&self) -> bool {
        self.n_absent > 0
    }

    pub(super) fn is_in_menu(&self) -> bool {
        self.n_menus > 0
    }

    /// The innermost element's tag and the length of the text when it opened.
    pub(super) fn top(&self) -> Option<(Tag, usize)> {
        self.open.last().map(|open| (open.tag, open.mark))
    }

    pub(super) fn push(
        &mut self,
        tag: Tag,
        effect: Effect,
        label: Option<(char, &str)>,
        mark: usize,
    ) {
        if self.open.len() == MAX_DEPTH {
            self.n_deeper += 1;
            return;
        }
        let path_start = self.path.len();
        self.path.push('/');
        self.path.push_str(tag.name());
        if let Some((sign, name)) = label {
            self.path.push(sign);
            self.path.push_str(shown(name));
        }
        self.n_open[tag as usize] += 1;
        self.n_unseen += usize::from(effect.unseen);
        self.n_absent += usize::from(effect.absent);
        self.n_menus += usize::from(effect.menu);
        self.open.push(Open {
            tag,
            effect,
            path_start,
            mark,
        });
        self.is_path_fresh = false;
    }

    /// How many elements must be closed to close the nearest `tag`, none of
    /// the `barriers` among them.
    pub(super) fn distance(&self, tags: &[Tag], barriers: &[Tag]) -> Option<usize> {
        if !tags.iter().any(|&tag| self.is_open(tag)) {
            return None;
        }
        for (distance, open) in self.open.iter().rev().take(MAX_SEARCH).enumerate() {
            if tags.contains(&open.tag) {
                return Some(distance + 1);
            }
            if barriers.contains(&open.tag) {
                return None;
            }
        }
        None
    }

    /// Closes one element too deep to be on the outline, if there is one.
    pub(super) fn pop_deeper(&mut self) -> bool {
        let is_deeper = self.n_deeper > 0;
        self.n_deeper -= usize::from(is_deeper);
        is_deeper
    }

    pub(super) fn pop(&mut self) {
        if let Some(open) = self.open.pop() {
            self.path.truncate(open.path_start);
            self.n_open[open.tag as usize] -= 1;
            self.n_unseen -= usize::from(open.effect.unseen);
            self.n_absent -= usize::from(open.effect.absent);
            self.n_menus -= usize::from(open.effect.menu);
            self.is_path_fresh = false;
        }
    }

    /// `body/div.menu/ul/li`: what is open, the nearest dozen of it.
    pub(super) fn path(&mut self) -> Arc<str> {
        if !self.is_path_fresh {
            let first = self.open.len().saturating_sub(MAX_PATH);
            let start = self
                .open
                .get(first)
                .map_or(self.path.len(), |open| open.path_start);
            let path = &self.path[start..];
            let known = self
                .paths
                .iter()
                .rposition(|known| &known[ROOT.len()..] == path);
            let path = match known {
                Some(path_idx) => self.paths.remove(path_idx),
                None => Arc::from([ROOT, path].concat()),
            };
            if self.paths.len() == MAX_RECENT {
                self.paths.remove(0);
            }
            self.paths.push(path);
            self.is_path_fresh = true;
        }
        self.paths.last().cloned().unwrap_or_default()
    }
}

/// A label up to its limit or to the first character that would break a path.
fn shown(label: &str) -> &str {
    let is_plain = |byte: u8| byte.is_ascii_graphic() && byte != b'/';
    let len = label
        .bytes()
        .take(MAX_LABEL)
        .take_while(|&byte| is_plain(byte))
        .count();
    &label[..len]
}
