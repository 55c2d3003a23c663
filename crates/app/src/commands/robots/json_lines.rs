//! A question per line, an answer per line, for other programs.
//!
//! The fields are a contract: they are added to, never renamed.

use super::path_of;
use crate::commands::INCOMPLETE;
use crate::commands::geoparse::input::{Body, Inputs, Name, Raw};
use crate::text::shorten;
use crate::{message, output};
use anyhow::anyhow;
use crawl::robots::Rules;
use serde::{Deserialize, Serialize};
use std::process::ExitCode;

#[derive(Deserialize)]
struct Question {
    robots_txt: String,
    /// Who asks, where it is not the one of the command line.
    agent: Option<String>,
    url: String,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Verdict { allowed: bool, line: u32 },
    // One line out for each line in.
    Bad { error: String },
}

pub(super) fn run(name: Name, agent: &str) -> anyhow::Result<ExitCode> {
    let mut code = ExitCode::SUCCESS;
    for input in Inputs::lines(name)? {
        let answer = match input {
            Ok(raw) => {
                let answer = answer(&raw, agent);
                if let Answer::Bad { error } = &answer {
                    code = ExitCode::from(INCOMPLETE);
                    message::show_error(&anyhow!("{}: {error}", raw.name));
                }
                answer
            }
            Err(error) => {
                message::show_error(&error.into());
                return Ok(ExitCode::from(INCOMPLETE));
            }
        };
        let line = output::json_line(&answer)?;
        if output::stream(&format!("{line}\n"))?.is_break() {
            break;
        }
    }
    Ok(code)
}

fn answer(raw: &Raw, agent: &str) -> Answer {
    let answer = question(raw).and_then(|question| {
        let path = path_of(&question.url).map_err(|why| format!("`{}`: {why}", question.url))?;
        let agent = question.agent.as_deref().unwrap_or(agent);
        let verdict = Rules::parse(question.robots_txt.as_bytes(), agent).verdict(path);
        Ok(Answer::Verdict {
            allowed: verdict.allowed,
            line: verdict.line,
        })
    });
    answer.unwrap_or_else(|error| Answer::Bad { error })
}

fn question(raw: &Raw) -> Result<Question, String> {
    match &raw.body {
        Body::Line(_) if raw.is_cut => Err("too long".into()),
        Body::Line(line) => serde_json::from_slice(line).map_err(|error| complaint(&error, line)),
        Body::Text(_) | Body::Page { .. } => Err("not a line of JSON".into()),
    }
}

/// What is wrong with a line. Its place within the line is left out, since
/// that too is called a line.
fn complaint(error: &serde_json::Error, line: &[u8]) -> String {
    if !error.is_data() {
        let start = shorten(&String::from_utf8_lossy(line.trim_ascii()), 40);
        return format!("not JSON: `{start}`");
    }
    let text = error.to_string();
    let end = text.rfind(" at line ").unwrap_or(text.len());
    text[..end].to_owned()
}
