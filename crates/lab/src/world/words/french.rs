//! What French sentences are made of.

use super::lexicon::Piece::{Adjective, Noun, Number, Opener, Tail, Verb, Word};
use super::lexicon::{Labels, Lexicon, Piece};

pub(crate) static FRENCH: Lexicon = Lexicon {
    code: "fr",
    sentences: &SENTENCES,
    adjectives: &ADJECTIVES,
    verbs: &VERBS,
    nouns: &NOUNS,
    openers: &OPENERS,
    tails: &TAILS,
    city_sentences: &[
        ("À ", ", on le sait depuis longtemps. "),
        ("Beaucoup de nouveaux venus à ", " commencent ici. "),
    ],
    labels: Labels {
        home: "Accueil",
        contact: "Contact",
        contact_slug: "contactez-nous",
        welcome: "Bienvenue chez ",
        inside: "Dans cette rubrique",
        related: "Voir aussi",
        rights: "Tous droits réservés.",
        in_city: " à ",
        of_city: " de ",
        phone: "Téléphone ",
        elsewhere: "Ailleurs",
        by: "Par ",
        nearby: "Autres villes",
        directions: "Vous nous trouvez ici : ",
        questions: "Questions et réponses",
        print: "Version imprimable",
    },
};

#[rustfmt::skip]
static SENTENCES: [&[Piece]; 6] = [
    &[Word("La "), Noun, Word(" "), Adjective, Word(" "), Verb, Word(" chaque "), Noun, Word(" "), Tail, Word(". ")],
    &[Opener, Word(", la "), Noun, Word(" "), Verb, Word(" une "), Noun, Word(" "), Adjective, Word(". ")],
    &[Opener, Word(", "), Number, Word(" personnes ont demandé cette "), Noun, Word(" "), Tail, Word(". ")],
    &[Word("Notre "), Noun, Word(" "), Verb, Word(" la "), Noun, Word(" "), Tail, Word(". ")],
    &[Word("Demandez la "), Noun, Word(" ou la "), Noun, Word(" "), Adjective, Word(". ")],
    &[Word("Nous ne pensons pas que la "), Noun, Word(" soit "), Adjective, Word(" "), Tail, Word(". ")],
];

#[rustfmt::skip]
static ADJECTIVES: [&str; 14] = [
    "nouvelle", "calme", "populaire", "moderne", "simple", "fiable", "annuelle", "longue", "courte", "grande", "petite", "utile",
    "publique", "complète",
];
#[rustfmt::skip]
static VERBS: [&str; 12] = [
    "améliore", "change", "accompagne", "contient", "explique", "demande", "offre", "aide", "montre", "protège", "décrit", "compare",
];
#[rustfmt::skip]
static NOUNS: [&str; 24] = [
    "idée", "question", "semaine", "histoire", "réponse", "famille", "saison", "offre", "journée", "voisine", "lettre", "raison",
    "boutique", "visite", "cuisine", "musique", "recette", "revue", "école", "fête", "maison", "équipe", "affaire", "photo",
];
#[rustfmt::skip]
static OPENERS: [&str; 8] = [
    "Le plus souvent", "L'an dernier", "En général", "Pour beaucoup", "Sans aucun doute", "Au début", "De temps en temps", "De plus",
];
#[rustfmt::skip]
static TAILS: [&str; 8] = [
    "sans supplément", "pour toute la famille", "en quelques jours", "avec soin", "comme toujours", "avec un peu de patience",
    "et cela se voit", "comme prévu",
];
