//! A city hall or one of its departments: offices, meetings, notices.

use super::department;
use super::pen::Pen;

pub(crate) fn write(pen: &mut Pen<'_>) {
    department::write(pen);
    if pen.site.desk(pen.page).is_none() && pen.dice.chance(250) {
        meetings(pen);
    }
}

fn meetings(pen: &mut Pen<'_>) {
    pen.heading("Meetings");
    pen.push("<table border=1><tr><th>Day</th><th>Time</th><th>Chair</th></tr>\n");
    for _ in 0..pen.dice.between(3, 12) {
        let day = pen
            .dice
            .pick(&["Monday", "Tuesday", "Wednesday", "Thursday"]);
        let hour = pen.dice.between(1, 9);
        pen.push("<tr><td>");
        pen.push(day);
        pen.push("</td><td>");
        pen.push_number(hour);
        pen.push(":30 pm</td><td>");
        pen.push_person();
        pen.push(if pen.sloppy { "\n" } else { "</td></tr>\n" });
    }
    pen.push("</table>\n");
}
