//! The element names that mean something to us, and what they mean.

use html5gum::State;

use super::text::Gap;
use super::tokens::{Attribute, AttributeSet};

/// How an element takes part in the outline of open elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Has no content, hence no end.
    Void,
    /// Sits in a line of text. On the outline only where its end matters.
    Inline,
    /// Stands on its own.
    Block,
    /// Its content is not for reading.
    Absent,
    /// Content up to its end tag is no markup, and not for reading.
    Raw,
    /// Neither opened nor closed by us: `html`, `a`, names we do not know.
    Loose,
}

macro_rules! tags {
    ($($tag:ident $name:literal $shape:ident $gap:ident,)*) => {
        /// An element name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        pub(crate) enum Tag { $($tag,)* }

        impl Tag {
            pub(super) const COUNT: usize = [$($name,)*].len();

            /// The element of that lower-case name, or `Other`.
            #[allow(non_upper_case_globals)] // The names double as constants.
            pub(super) fn of(name: &[u8]) -> Tag {
                $(const $tag: u128 = pack($name.as_bytes());)*
                // One comparison of integers per step of a binary search,
                // where names as slices would be compared one after another.
                match pack(name) {
                    $($tag => Tag::$tag,)*
                    _ => Tag::Other,
                }
            }

            pub(super) fn name(self) -> &'static str {
                const NAMES: [&str; Tag::COUNT] = [$($name,)*];
                NAMES[self as usize]
            }

            pub(crate) fn shape(self) -> Shape {
                const SHAPES: [Shape; Tag::COUNT] = [$(Shape::$shape,)*];
                SHAPES[self as usize]
            }

            /// The gap that its start and its end leave in the text.
            pub(super) fn gap(self) -> Gap {
                const GAPS: [Gap; Tag::COUNT] = [$(Gap::$gap,)*];
                GAPS[self as usize]
            }
        }
    };
}

/// A name of up to sixteen bytes as a number; longer ones are not known to us.
const fn pack(name: &[u8]) -> u128 {
    if name.len() > 16 {
        return 0;
    }
    let mut packed = 0;
    let mut at = 0;
    while at < name.len() {
        packed = packed << 8 | name[at] as u128;
        at += 1;
    }
    packed
}

tags! {
    Other "" Loose None,
    A "a" Loose None,
    Abbr "abbr" Loose None,
    Address "address" Block Blank,
    Area "area" Void None,
    Article "article" Block Blank,
    Aside "aside" Block Blank,
    Audio "audio" Absent None,
    B "b" Inline None,
    Base "base" Void None,
    Blockquote "blockquote" Block Blank,
    Body "body" Loose Blank,
    Br "br" Void None,
    Button "button" Block Line,
    Canvas "canvas" Absent None,
    Caption "caption" Block Line,
    Center "center" Block Line,
    Col "col" Void None,
    Data "data" Loose None,
    Datalist "datalist" Absent None,
    Dd "dd" Block Line,
    Details "details" Block Blank,
    Dialog "dialog" Block Blank,
    Dir "dir" Block Blank,
    Div "div" Block Line,
    Dl "dl" Block Blank,
    Dt "dt" Block Line,
    Em "em" Inline None,
    Embed "embed" Void None,
    Fieldset "fieldset" Block Blank,
    Figcaption "figcaption" Block Line,
    Figure "figure" Block Blank,
    Font "font" Inline None,
    Footer "footer" Block Blank,
    Form "form" Block Blank,
    Frame "frame" Void None,
    H1 "h1" Block Blank,
    H2 "h2" Block Blank,
    H3 "h3" Block Blank,
    H4 "h4" Block Blank,
    H5 "h5" Block Blank,
    H6 "h6" Block Blank,
    Header "header" Block Blank,
    Hr "hr" Void Blank,
    Html "html" Loose None,
    I "i" Inline None,
    Iframe "iframe" Raw None,
    Img "img" Void None,
    Input "input" Void None,
    Label "label" Inline None,
    Legend "legend" Block Line,
    Li "li" Block Line,
    Link "link" Void None,
    Listing "listing" Block Blank,
    Main "main" Block Blank,
    Menu "menu" Block Blank,
    Meta "meta" Void None,
    Nav "nav" Block Blank,
    Noembed "noembed" Raw None,
    Ol "ol" Block Blank,
    Option "option" Inline Line,
    P "p" Block Blank,
    Param "param" Void None,
    Plaintext "plaintext" Loose Blank,
    Pre "pre" Block Blank,
    Script "script" Raw None,
    Section "section" Block Blank,
    Select "select" Absent Line,
    Small "small" Inline None,
    Source "source" Void None,
    Span "span" Inline None,
    Strong "strong" Inline None,
    Style "style" Raw None,
    Summary "summary" Block Line,
    Svg "svg" Absent None,
    Table "table" Block Blank,
    Tbody "tbody" Block Line,
    Td "td" Block Cell,
    Template "template" Absent None,
    Textarea "textarea" Raw Line,
    Tfoot "tfoot" Block Line,
    Th "th" Block Cell,
    Thead "thead" Block Line,
    Time "time" Loose None,
    Title "title" Raw None,
    Tr "tr" Block Line,
    Track "track" Void None,
    Ul "ul" Block Blank,
    Video "video" Absent None,
    Wbr "wbr" Void None,
    Xmp "xmp" Raw Blank,
}

impl Tag {
    /// What the tokenizer must be told after this start tag, if anything.
    pub(super) fn state(self) -> Option<State> {
        match self {
            Tag::Title | Tag::Textarea => Some(State::RcData),
            Tag::Script => Some(State::ScriptData),
            Tag::Style | Tag::Iframe | Tag::Xmp | Tag::Noembed => Some(State::RawText),
            Tag::Plaintext => Some(State::PlainText),
            _ => None,
        }
    }

    /// The attributes that are read of it. Others are not even copied.
    pub(super) fn attributes(self) -> AttributeSet {
        use Attribute::{
            Alt, Class, Content, DataSrc, Hidden, Href, HttpEquiv, Id, ItemProp, ItemRef,
            ItemScope, ItemType, Lang, Name, Property, Rel, Resource, Role, Src, Style, Title,
            Type, TypeOf, Value, XmlLang,
        };
        /// What may carry structured data.
        const DATA: AttributeSet = AttributeSet::of(&[
            Class, Content, ItemProp, ItemRef, ItemScope, ItemType, Property, Rel, Resource, Title,
            TypeOf,
        ]);
        const ANY: AttributeSet = AttributeSet::of(&[Hidden, Style, Role]).with(DATA);
        const CONTAINER: AttributeSet = AttributeSet::of(&[Id]).with(ANY);
        match self {
            Tag::A => const { AttributeSet::of(&[Hidden, Style, Href]).with(DATA) },
            Tag::Area => const { AttributeSet::of(&[Href, Rel, Alt, Title]) },
            Tag::Data => const { AttributeSet::of(&[Value]).with(DATA) },
            Tag::Base => const { AttributeSet::of(&[Href]) },
            Tag::Frame | Tag::Iframe => {
                const { AttributeSet::of(&[Hidden, Style, Src, DataSrc, Title]) }
            }
            Tag::Html => const { AttributeSet::of(&[Lang, XmlLang]).with(DATA) },
            Tag::Img => const { AttributeSet::of(&[Alt]) },
            Tag::Link => const { AttributeSet::of(&[Rel, Href, ItemProp, Property, Resource]) },
            Tag::Meta => {
                const { AttributeSet::of(&[Name, HttpEquiv, Content, ItemProp, Property]) }
            }
            Tag::Script => const { AttributeSet::of(&[Type]) },
            _ if self.is_container() => CONTAINER,
            _ => match self.shape() {
                Shape::Block | Shape::Inline | Shape::Absent => ANY,
                Shape::Loose => DATA,
                Shape::Void | Shape::Raw => AttributeSet::default(),
            },
        }
    }

    /// Shown with its class or id on a link's tag path. Items and rows are
    /// not: theirs would tell siblings apart.
    pub(super) fn is_container(self) -> bool {
        use Tag::{
            Article, Aside, Details, Dialog, Div, Dl, Fieldset, Figure, Footer, Form, Header, Main,
            Menu, Nav, Ol, Section, Table, Td, Ul,
        };
        matches!(
            self,
            Article
                | Aside
                | Details
                | Dialog
                | Div
                | Dl
                | Fieldset
                | Figure
                | Footer
                | Form
                | Header
                | Main
                | Menu
                | Nav
                | Ol
                | Section
                | Table
                | Td
                | Ul
        )
    }

    /// The open elements that end where this one starts, and those that
    /// protect what lies above them.
    pub(crate) fn ends(self) -> Option<(&'static [Tag], &'static [Tag])> {
        use Tag::{
            Dd, Dir, Dl, Dt, Li, Menu, Ol, Select, Table, Tbody, Td, Tfoot, Th, Thead, Tr, Ul,
        };
        match self {
            Li => Some((&[Li], &[Ul, Ol, Menu, Dir, Td, Table])),
            Dt | Dd => Some((&[Dt, Dd], &[Dl, Td, Table])),
            Td | Th => Some((&[Td, Th], &[Tr, Table])),
            Tr => Some((&[Tr], &[Table])),
            Thead | Tbody | Tfoot => Some((&[Thead, Tbody, Tfoot], &[Table])),
            Select => Some((&[Select], &[Td, Table])),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_again() {
        assert_eq!(Tag::of(b"figcaption"), Tag::Figcaption);
        assert_eq!(Tag::Figcaption.name(), "figcaption");
        assert_eq!(Tag::of(b"h7"), Tag::Other);
        assert_eq!(Tag::of(b""), Tag::Other);
        assert_eq!(
            Tag::of(b"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaap"),
            Tag::Other
        );
    }
}
