//! What German sentences are made of, and the topics' words in German.

use super::N_TOPICS;
use super::lexicon::Piece::{Adjective, Noun, Number, Opener, Tail, Thing, Verb, Word};
use super::lexicon::{Labels, Lexicon, Piece};

pub(crate) static GERMAN: Lexicon = Lexicon {
    code: "de",
    sentences: &SENTENCES,
    adjectives: &ADJECTIVES,
    verbs: &VERBS,
    nouns: &NOUNS,
    openers: &OPENERS,
    tails: &TAILS,
    city_sentences: &CITY_SENTENCES,
    labels: Labels {
        home: "Startseite",
        contact: "Impressum",
        contact_slug: "impressum",
        welcome: "Willkommen bei ",
        inside: "In diesem Bereich",
        related: "Mehr zum Thema",
        rights: "Alle Rechte vorbehalten.",
        in_city: " in ",
        of_city: " aus ",
        phone: "Telefon ",
        elsewhere: "Anderswo",
        by: "Von ",
        nearby: "Weitere Städte",
        directions: "Sie finden uns hier: ",
        questions: "Fragen und Antworten",
        print: "Druckversion",
    },
};

#[rustfmt::skip]
static SENTENCES: [&[Piece]; 10] = [
    &[Word("Die "), Adjective, Word("e "), Thing, Word(" "), Verb, Word(" unser "), Noun, Word(" "), Tail, Word(". ")],
    &[Opener, Word(" "), Verb, Word(" das "), Noun, Word(" auch jede "), Adjective, Word("e "), Thing, Word(". ")],
    &[Word("Jede "), Thing, Word(" "), Verb, Word(" das "), Adjective, Word("e "), Noun, Word(", "), Tail, Word(". ")],
    &[Word("Fragen Sie nach "), Thing, Word(" oder "), Noun, Word(" "), Tail, Word(". ")],
    &[Opener, Word(" haben "), Number, Word(" Leute nach "), Thing, Word(" gefragt, "), Tail, Word(". ")],
    &[Word("Unser "), Noun, Word(" "), Verb, Word(" jede "), Thing, Word(" "), Tail, Word(". ")],
    &[Word("Was ist das "), Adjective, Word("e "), Noun, Word(" dieser "), Thing, Word("? ")],
    &[Word("Sie "), Verb, Word(" die "), Thing, Word(", die "), Thing, Word(" und das "), Noun, Word(". ")],
    &[Word("Wir glauben nicht, dass die "), Thing, Word(" das "), Noun, Word(" "), Verb, Word(", "), Tail, Word(". ")],
    &[Opener, Word(" kostet die "), Thing, Word(" weniger als das "), Adjective, Word("e "), Noun, Word(". ")],
];

#[rustfmt::skip]
static ADJECTIVES: [&str; 24] = [
    "neu", "ruhig", "beliebt", "sorgfältig", "freundlich", "modern", "einfach", "zuverlässig", "jährlich", "früh", "lang", "kurz",
    "hell", "stetig", "typisch", "klein", "groß", "günstig", "vollständig", "praktisch", "vertraut", "nützlich", "ehrlich", "öffentlich",
];

#[rustfmt::skip]
static VERBS: [&str; 20] = [
    "verbessert", "ersetzt", "unterstützt", "begleitet", "enthält", "erklärt", "braucht", "ändert", "bietet", "verlangt",
    "hilft", "hält", "findet", "bringt", "zeigt", "schützt", "beschreibt", "erreicht", "vergleicht", "misst",
];

#[rustfmt::skip]
static NOUNS: [&str; 28] = [
    "Ergebnis", "Projekt", "Angebot", "Haus", "Programm", "Team", "Jahr", "Bild", "Problem", "Büro", "Geschäft", "Treffen",
    "Wochenende", "Beispiel", "Gespräch", "Ziel", "Leben", "Wetter", "Konzept", "Buch", "Gefühl", "Kind", "Werk", "Amt",
    "Verfahren", "Erlebnis", "Verhältnis", "Gebiet",
];

#[rustfmt::skip]
static OPENERS: [&str; 14] = [
    "Meistens", "Im letzten Jahr", "In der Regel", "Für viele", "Nach einer Weile", "Ohne Zweifel", "Am Anfang", "Ab und zu",
    "Noch einmal", "Außerdem", "Im Zweifel", "Deshalb", "Wie immer", "Über die Jahre",
];

#[rustfmt::skip]
static TAILS: [&str; 16] = [
    "und das macht den Unterschied", "ohne Aufpreis", "für die ganze Familie", "in wenigen Tagen", "mit großer Sorgfalt",
    "weil viele danach fragen", "solange der Vorrat reicht", "bei jedem Wetter", "auch kurzfristig", "wenn alles gut geht",
    "seit mehr als zwanzig Jahren", "wie gewohnt", "mit etwas Geduld", "und darauf sind wir stolz", "wie erwartet", "was gut zu wissen ist",
];

static CITY_SENTENCES: [(&str, &str); 6] = [
    ("In ", " weiß man das seit Jahren. "),
    ("Wir arbeiten gern in ", " und umzu. "),
    ("Es gibt mehr zu sehen in ", ", als die meisten denken. "),
    ("Viele, die neu in ", " sind, fangen hier an. "),
    ("Das Beste an ", " liegt oft nebenan. "),
    ("Es war ein langer Tag für ", ". "),
];

/// A topic in German.
pub(crate) struct GermanTopic {
    pub(crate) name: &'static str,
    pub(crate) trade: &'static str,
    pub(crate) nouns: [&'static str; 6],
}

const fn topic(name: &'static str, trade: &'static str, nouns: [&'static str; 6]) -> GermanTopic {
    GermanTopic { name, trade, nouns }
}

/// In the order of `TOPICS`.
#[rustfmt::skip]
pub(crate) static GERMAN_TOPICS: [GermanTopic; N_TOPICS] = [
    topic("Restaurants", "Gasthaus", ["Speisekarte", "Küche", "Suppe", "Vorspeise", "Weinkarte", "Reservierung"]),
    topic("Klempner", "Sanitärtechnik", ["Heizung", "Leitung", "Dichtung", "Armatur", "Wartung", "Badewanne"]),
    topic("Anwälte", "Rechtsanwälte", ["Klage", "Kanzlei", "Verhandlung", "Vollmacht", "Beratung", "Berufung"]),
    topic("Zahnärzte", "Zahnarztpraxis", ["Krone", "Füllung", "Prophylaxe", "Sprechstunde", "Brücke", "Zahnreinigung"]),
    topic("Immobilien", "Immobilien", ["Wohnung", "Besichtigung", "Hypothek", "Miete", "Anzeige", "Kaution"]),
    topic("Hotels", "Hotel", ["Suite", "Rezeption", "Übernachtung", "Sauna", "Tagung", "Anreise"]),
    topic("Autowerkstätten", "Kfz-Service", ["Bremse", "Batterie", "Inspektion", "Reparatur", "Kupplung", "Achse"]),
    topic("Floristen", "Blumen", ["Rose", "Hochzeit", "Vase", "Lieferung", "Tulpe", "Orchidee"]),
    topic("Schulen", "Schule", ["Klasse", "Bibliothek", "Lehrkraft", "Anmeldung", "Prüfung", "Pause"]),
    topic("Kirchen", "Gemeinde", ["Andacht", "Predigt", "Kapelle", "Gruppe", "Orgel", "Spende"]),
    topic("Fitness", "Sportstudio", ["Übung", "Yogastunde", "Mitgliedschaft", "Umkleide", "Trainerin", "Matte"]),
    topic("Friseure", "Friseur", ["Frisur", "Farbe", "Haarkur", "Maniküre", "Schere", "Strähne"]),
    topic("Haustiere", "Tierarztpraxis", ["Impfung", "Katze", "Leine", "Pflege", "Untersuchung", "Pension"]),
    topic("Banken", "Volksbank", ["Filiale", "Karte", "Einlage", "Gebühr", "Beraterin", "Überweisung"]),
    topic("Museen", "Museum", ["Ausstellung", "Galerie", "Sammlung", "Führung", "Skulptur", "Eintrittskarte"]),
    topic("Bücher", "Buchhandlung", ["Autorin", "Lesung", "Ausgabe", "Erzählung", "Rezension", "Seite"]),
    topic("Musik", "Musikhaus", ["Gitarre", "Bühne", "Platte", "Band", "Note", "Probe"]),
    topic("Fotografie", "Fotostudio", ["Kamera", "Linse", "Belichtung", "Aufnahme", "Sitzung", "Vergrößerung"]),
    topic("Reisen", "Reisebüro", ["Kreuzfahrt", "Reise", "Fähre", "Buchung", "Insel", "Unterkunft"]),
    topic("Garten", "Gartencenter", ["Hecke", "Erde", "Staude", "Tomate", "Gießkanne", "Wiese"]),
    topic("Computer", "Software", ["Tastatur", "Sicherung", "Datei", "Festplatte", "Anwendung", "Leitung"]),
    topic("Sport", "Sportverein", ["Mannschaft", "Liga", "Saison", "Tabelle", "Halle", "Meisterschaft"]),
    topic("Gesundheit", "Gemeinschaftspraxis", ["Ärztin", "Therapie", "Praxis", "Vorsorge", "Diät", "Verordnung"]),
    topic("Möbel", "Möbelhaus", ["Couch", "Matratze", "Lampe", "Kommode", "Vitrine", "Ausstellung"]),
    topic("Elektriker", "Elektrotechnik", ["Steckdose", "Leuchte", "Leitung", "Anlage", "Prüfung", "Sicherung"]),
    topic("Kinderbetreuung", "Kindergarten", ["Krippe", "Gruppe", "Mahlzeit", "Erzieherin", "Schaukel", "Eingewöhnung"]),
    topic("Versicherungen", "Versicherungen", ["Police", "Prämie", "Haftung", "Leistung", "Vertretung", "Kündigung"]),
    topic("Hochzeiten", "Brautmoden", ["Braut", "Torte", "Einladung", "Trauung", "Feier", "Robe"]),
    topic("Stellen", "Personaldienste", ["Bewerbung", "Stelle", "Schicht", "Ausbildung", "Messe", "Firma"]),
    topic("Filme", "Kino", ["Leinwand", "Vorschau", "Regie", "Rolle", "Premiere", "Vorstellung"]),
    topic("Spiele", "Spielwaren", ["Runde", "Figur", "Konsole", "Karte", "Aufgabe", "Punktzahl"]),
    topic("Kochen", "Kochschule", ["Pfanne", "Brühe", "Zutat", "Würze", "Form", "Soße"]),
    topic("Ahnenforschung", "Familienforschung", ["Urkunde", "Ahnin", "Linie", "Chronik", "Herkunft", "Auswanderung"]),
    topic("Wissenschaft", "Institut", ["Messung", "Theorie", "Probe", "Studie", "Forscherin", "Zeitschrift"]),
    topic("Motorräder", "Zweiradcenter", ["Maschine", "Tour", "Kupplung", "Kette", "Felge", "Bremse"]),
    topic("Handarbeit", "Bastelbedarf", ["Wolle", "Nadel", "Perle", "Vorlage", "Decke", "Schleife"]),
    topic("Geldanlage", "Vermögensberatung", ["Aktie", "Anleihe", "Börse", "Rente", "Rendite", "Anlage"]),
];
