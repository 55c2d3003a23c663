//! What Spanish sentences are made of.

use super::lexicon::Piece::{Adjective, Noun, Number, Opener, Tail, Verb, Word};
use super::lexicon::{Labels, Lexicon, Piece};

pub(crate) static SPANISH: Lexicon = Lexicon {
    code: "es",
    sentences: &SENTENCES,
    adjectives: &ADJECTIVES,
    verbs: &VERBS,
    nouns: &NOUNS,
    openers: &OPENERS,
    tails: &TAILS,
    city_sentences: &[
        ("En ", " ya lo saben. "),
        ("Muchos que llegan a ", " empiezan aquí. "),
    ],
    labels: Labels {
        home: "Inicio",
        contact: "Contacto",
        contact_slug: "contacto",
        welcome: "Bienvenidos a ",
        inside: "En esta sección",
        related: "Relacionado",
        rights: "Todos los derechos reservados.",
        in_city: " en ",
        of_city: " de ",
        phone: "Teléfono ",
        elsewhere: "Otros sitios",
        by: "Por ",
        nearby: "Otras ciudades",
        directions: "Nos encuentra en ",
        questions: "Preguntas y respuestas",
        print: "Versión para imprimir",
    },
};

#[rustfmt::skip]
static SENTENCES: [&[Piece]; 6] = [
    &[Word("La "), Noun, Word(" "), Adjective, Word(" "), Verb, Word(" cada "), Noun, Word(" "), Tail, Word(". ")],
    &[Opener, Word(", la "), Noun, Word(" "), Verb, Word(" una "), Noun, Word(" "), Adjective, Word(". ")],
    &[Opener, Word(", "), Number, Word(" personas pidieron esta "), Noun, Word(" "), Tail, Word(". ")],
    &[Word("Nuestra "), Noun, Word(" "), Verb, Word(" la "), Noun, Word(" "), Tail, Word(". ")],
    &[Word("Pregunte por la "), Noun, Word(" o por la "), Noun, Word(" "), Adjective, Word(". ")],
    &[Word("No creemos que la "), Noun, Word(" sea "), Adjective, Word(" "), Tail, Word(". ")],
];

#[rustfmt::skip]
static ADJECTIVES: [&str; 14] = [
    "nueva", "tranquila", "popular", "moderna", "sencilla", "fiable", "anual", "larga", "corta", "grande", "pequeña", "útil",
    "pública", "completa",
];
#[rustfmt::skip]
static VERBS: [&str; 12] = [
    "mejora", "cambia", "acompaña", "incluye", "explica", "necesita", "ofrece", "ayuda", "muestra", "protege", "describe", "compara",
];
#[rustfmt::skip]
static NOUNS: [&str; 24] = [
    "idea", "pregunta", "semana", "historia", "respuesta", "familia", "temporada", "oferta", "mañana", "vecina", "obra", "carta",
    "razón", "oficina", "guía", "cocina", "música", "empresa", "tienda", "receta", "revista", "escuela", "fiesta", "casa",
];
#[rustfmt::skip]
static OPENERS: [&str; 8] = [
    "Casi siempre", "El año pasado", "Por lo general", "Para muchos", "Sin duda", "Al principio", "De vez en cuando", "Además",
];
#[rustfmt::skip]
static TAILS: [&str; 8] = [
    "sin coste adicional", "para toda la familia", "en pocos días", "con mucho cuidado", "como siempre", "con un poco de paciencia",
    "y eso se nota", "según lo previsto",
];
