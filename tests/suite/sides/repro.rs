//! Writes a case that breaks a law, with as few bodies as needed, as a scene file and as a program.

use std::fmt::Write as _;

use hitmask::Touch;
use hitmask::scene::{BodySpec, Form, Image, Pose, QuerySpec, ShapeSpec};

use super::case::Case;
use super::laws::{Checker, Law, Violation};

/// Removes bodies while the law stays broken.
pub(super) fn shrink(case: &Case, law: Law, checker: &mut Checker) -> (Case, Violation) {
    let mut broken = |case: &Case| checker.check(case).into_iter().find(|violation| violation.law == law);
    let (mut least, mut violation) = (case.clone(), broken(case).expect("it breaks the law"));
    let mut body = least.scene.bodies.len();
    while body > 0 {
        body -= 1;
        let mut fewer = least.clone();
        fewer.scene.bodies.remove(body);
        if let Some(still) = broken(&fewer) {
            (least, violation) = (fewer, still);
        }
    }
    let QuerySpec::Body(mover) = &least.scene.queries[0] else { unreachable!("the mover is a body") };
    let used = |name: &str| name == mover.shape || least.scene.bodies.iter().any(|body| body.shape == name);
    let mut scene = least.scene.clone();
    scene.shapes.retain(|(name, _)| used(name));
    (Case { scene, ..least }, violation)
}

/// Returns a program that shows how a case breaks a law.
pub(super) fn program(case: &Case, violation: &Violation) -> String {
    let mut text = format!("// {:?} on {:?}, seed {}. {violation}\n", case.mover, case.ground, case.seed);
    text.push_str("use hitmask::query::Queries;\nuse hitmask::{Body, Linear, Mask, Shape, Touch, World};\n");
    text.push_str("fn main() -> hitmask::Result<()> {\n");
    let touch = if case.scene.touch == Touch::Included { "Included" } else { "Excluded" };
    let _ = writeln!(text, "    let mut world = World::new(Touch::{touch});");
    for (name, shape) in &case.scene.shapes {
        let _ = writeln!(text, "    let {name} = world.add_shape({})?;", shape_text(shape));
    }
    for body in &case.scene.bodies {
        let _ = writeln!(text, "    world.add(&{})?;", body_text(body));
    }
    let QuerySpec::Body(mover) = &case.scene.queries[0] else { unreachable!("the mover is a body") };
    let _ = writeln!(text, "    let mover = {}.moving({:?});", body_text(mover), mover.motion);
    text.push_str("    println!(\"{:#?}\", Queries::new().on(&world).slide(&mover, |_| true)?);\n    Ok(())\n}\n");
    text
}

fn shape_text(shape: &ShapeSpec) -> String {
    let text = match &shape.form {
        Form::Box([w, h]) => format!("Shape::rect({w:?}, {h:?})?"),
        Form::Circle(r) => format!("Shape::circle({r:?})?"),
        Form::Capsule { from, to, radius } => format!("Shape::capsule({from:?}, {to:?}, {radius:?})?"),
        Form::Polygon { outline, radius, .. } if *radius > 0.0 => {
            format!("Shape::rounded_polygon(&{outline:?}, {radius:?})?")
        }
        Form::Polygon { outline, .. } => format!("Shape::polygon(&{outline:?})?"),
        Form::Sprite { image: Image::Rows(rows), .. } => format!("Shape::sprite(Mask::from_rows(&{rows:?})?)"),
        Form::Sprite { .. } | Form::Parts(_) => unreachable!("sprites are of rows, and no shape has parts"),
    };
    if shape.anchor == [0.0; 2] { text } else { format!("{text}.anchored({:?})?", shape.anchor) }
}

fn body_text(body: &BodySpec) -> String {
    let text = format!("Body::new({}, {:?})", body.shape, body.at);
    match body.pose {
        Pose::Turned { angle, scale, flip } if (angle, scale) != (0.0, [1.0; 2]) => {
            format!("{text}.posed(Linear::new({angle:?}, {scale:?}, hitmask::geometry::{flip:?}))")
        }
        _ => text,
    }
}
