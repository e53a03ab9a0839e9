//! A plan: the tensor twice, with the places of its source and of its target, one colour per message.

use super::{Axis, CLASSES, Cell, Grid, Look, MOST_CELLS, Picture, Rule, items, too_many};
use crate::plan::planned;
use crd2idx::relayout::json::Request;
use crd2idx::relayout::{Place, Plan, Side};
use std::collections::BTreeMap;

/// A place of a plan, and an offset in elements there.
type Spot = (Place, i64);

/// Draws `plan FROM TO`: each element with its place in the source, and with its place in the target.
pub fn picture(request: &Request) -> Result<Picture, String> {
    let say = |error: crd2idx::relayout::PlanError| error.to_string();
    let (plan, [source, target]) = (planned(request)?, request.sides().map_err(say)?);
    let extents = request.planner().extents(&source, &target).map_err(say)?;
    let size = extents.iter().try_fold(1_usize, |size, n| size.checked_mul(usize::try_from(*n).ok()?)).unwrap_or(usize::MAX);
    if size == 0 {
        return Err("there is no element to draw".into());
    }
    if size > MOST_CELLS {
        return Err(too_many(size));
    }
    let messages = messages(&plan);
    let element = |mut k: usize| -> Vec<i64> {
        let digit = |n: &i64| {
            let digit = k % *n as usize;
            k /= *n as usize;
            digit as i64
        };
        extents.iter().map(digit).collect()
    };
    let spots = |side: &Side| (0..size).map(|k| side.spots(&extents, &element(k)).map_err(say)).collect::<Result<Vec<_>, _>>();
    let (sources, targets) = (spots(&source)?, spots(&target)?);
    let shape: Vec<usize> = extents.iter().map(|n| *n as usize).collect();
    let mut lines = Vec::new();
    // A source cell has the colour of the message to the first replica of the target.
    let class =
        |k: usize, replica: usize| targets[k].get(replica).and_then(|spot| messages.get(spot)).map(|message| (message % CLASSES, *message));
    let from = |k: usize| -> (String, Option<usize>) {
        let chosen = class(k, 0).map(|(_, message)| plan.messages()[message].from.to_string());
        (chosen.unwrap_or_else(|| sources[k].first().map_or(String::new(), |spot| spot.0.to_string())), class(k, 0).map(|found| found.0))
    };
    lines.push(items(grids(&shape, &format!("source {}", request.from), from)));
    let replicas = targets.first().map_or(1, Vec::len);
    for replica in 0..replicas {
        let name = if replicas > 1 { format!("target {}\nreplica {replica}", request.to) } else { format!("target {}", request.to) };
        let to =
            |k: usize| (targets[k].get(replica).map_or(String::new(), |spot| spot.0.to_string()), class(k, replica).map(|found| found.0));
        lines.push(items(grids(&shape, &name, to)));
    }
    // Put narrow grids side by side.
    if shape.get(1).is_some_and(|columns| *columns <= 16) && lines.len() == 2 {
        lines = vec![lines.into_iter().flatten().collect()];
    }
    let title = format!("plan from {} to {}", request.from, request.to);
    let description = format!(
        "The tensor twice: each element with the place that it is in, and with the place that it goes to, a colour for each of the messages; {}.",
        plan.statistics()
    );
    Picture { title, description, lines, arrows: Vec::new() }.checked()
}

/// Returns for each spot of the target the number of the message that writes it, from 0.
fn messages(plan: &Plan) -> BTreeMap<Spot, usize> {
    let mut out = BTreeMap::new();
    for (number, message) in plan.messages().iter().enumerate() {
        for copy in &message.copies {
            for (_, target) in copy.offsets() {
                out.extend((0..copy.count).map(|k| ((message.to.clone(), target + k), number)));
            }
        }
    }
    out
}

/// Returns a tensor as grids: mode 0 down, mode 1 across, a sheet per coordinate of the others. Rules part lines that differ in every cell.
fn grids(shape: &[usize], caption: &str, cell: impl Fn(usize) -> (String, Option<usize>)) -> Vec<Grid> {
    let (rows, columns) = if shape.len() < 2 { (1, shape.first().copied().unwrap_or(1)) } else { (shape[0], shape[1]) };
    let plane = rows * columns;
    let sheet = |sheet: usize| {
        let number = |row: usize, column: usize| sheet * plane + row + rows * column;
        let differs = |one: (usize, usize), other: (usize, usize)| cell(number(one.0, one.1)).0 != cell(number(other.0, other.1)).0;
        let thick = |differs: bool| if differs { Rule::Thick } else { Rule::None };
        let axis = |len: usize| if len == 1 { Axis::plain(1) } else { Axis::numbered(len) };
        let cells = (0..plane).map(|at| cell(number(at / columns, at % columns))).map(|(text, class)| Cell::of(text, class));
        let mut rest = sheet;
        let at = shape.iter().skip(2).map(|n| {
            let digit = rest % n;
            rest /= n;
            digit.to_string()
        });
        let at = at.collect::<Vec<_>>().join(",");
        let caption = match (at.is_empty(), sheet) {
            (true, _) => caption.to_owned(),
            (false, 0) => format!("{caption}\nat (_,_,{at})"),
            (false, _) => format!("at (_,_,{at})"),
        };
        Grid {
            caption,
            rows: axis(rows).ruled(|k| thick((0..columns).all(|column| differs((k - 1, column), (k, column))))),
            columns: axis(columns).ruled(|k| thick((0..rows).all(|row| differs((row, k - 1), (row, k))))),
            cells: cells.collect(),
            look: Look::Table,
        }
    };
    (0..shape.iter().product::<usize>() / plane.max(1)).map(sheet).collect()
}
