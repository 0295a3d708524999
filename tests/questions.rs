//! Questions: the 60 scenes of `tests/conformance/queries.jsonl`, whose answers come from an independent program, and random worlds of all kinds of bodies,
//! asked of an index that is kept while they change, against the definition.

#[path = "common/bodies.rs"]
mod bodies;

use hitmask::scene::Query;
use hitmask::{
    Answers, Body, BodyHit, Linear, Near, Nearby, Queries, Question, Ray, RayHit, Region, Scene, Search, Simd, Spot, Touch,
    World,
};
use hitmask_workbench::verify::random_scene;
use hitmask_workbench::workloads::SplitMix64;
use serde_json::{Map, Value, json};

/// Distances may differ by this part.
const RELATIVE: f64 = 1e-9;

/// An answer as scenes have it.
fn answer(search: Search<'_>, query: &Query) -> Value {
    let indices = |ids: Vec<hitmask::BodyId>| ids.into_iter().map(hitmask::BodyId::index).collect::<Vec<_>>();
    let met = |hit: &RayHit| json!({ "body": hit.body.index(), "time": [hit.tick, 65536] });
    match query {
        Query::Point(spot) => json!({ "bodies": indices(all(search, spot)) }),
        Query::Ray(ray) => search.first(ray).unwrap().as_ref().map_or(json!({}), met),
        Query::Nearest(near) => {
            let nearby = |near: &Nearby| json!({ "body": near.body.index(), "distance": near.distance });
            json!({ "bodies": all(search, near).iter().map(nearby).collect::<Vec<_>>() })
        }
        Query::Body(body) => {
            let written = |hit: &BodyHit| {
                let mut keys = Map::from_iter([("body".into(), hit.body.index().into())]);
                let detail = &hit.detail;
                let mut put = |key: &str, value: Value| drop(keys.insert(key.into(), value));
                detail.time.inspect(|time| put("time", json!(time)));
                detail.area.inspect(|area| put("area", json!(area)));
                detail.overlap.inspect(|overlap| {
                    put("bounds", json!(overlap.bounds));
                    put("first", json!(overlap.first));
                    put("sums", json!(overlap.sums));
                });
                Value::Object(keys)
            };
            let mut answer = json!({ "bodies": all(search, body).iter().map(written).collect::<Vec<_>>() });
            if let Some(first) = search.first(body).unwrap() {
                answer["first"] = first.body.index().into();
            }
            answer
        }
    }
}

fn all<Q: Question>(search: Search<'_>, question: &Q) -> Vec<Q::Answer> {
    let mut found = Vec::new();
    search.all(question, &mut found).unwrap();
    found
}

/// Whether two answers are the same, but for the last digits of distances.
fn same(found: &Value, expected: &Value) -> bool {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => {
            found.len() == expected.len()
                && found.iter().all(|(key, found)| match (key.as_str(), expected.get(key)) {
                    ("distance", Some(expected)) => {
                        let (found, expected) = (found.as_f64().unwrap(), expected.as_f64().unwrap());
                        (found - expected).abs() <= RELATIVE * expected
                    }
                    (_, expected) => expected.is_some_and(|expected| same(found, expected)),
                })
        }
        (Value::Array(found), Value::Array(expected)) => {
            found.len() == expected.len() && found.iter().zip(expected).all(|(found, expected)| same(found, expected))
        }
        (found, expected) => found == expected,
    }
}

#[test]
fn every_scene_is_answered() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance/queries.jsonl");
    let mut wrong = Vec::new();
    let (mut scenes, mut questions) = (0, 0);
    for line in std::fs::read_to_string(file).unwrap().lines() {
        let expected: Value = serde_json::from_str(line).unwrap();
        let name = expected["name"].as_str().unwrap();
        let scene = Scene::parse(&expected["scene"].to_string(), ".".as_ref()).unwrap();
        let again = Scene::parse(&scene.to_json().unwrap(), ".".as_ref()).unwrap();
        assert_eq!(again.queries, scene.queries, "{name} is written as it is");
        let world = scene.world().unwrap();
        let mut engines = vec![("reference".to_owned(), Queries::reference())];
        engines.extend(Simd::available().into_iter().map(|simd| (simd.name().to_owned(), Queries::new().simd(simd))));
        for (engine, queries) in &mut engines {
            let search = queries.on(&world);
            for (k, query) in scene.questions(&world).unwrap().iter().enumerate() {
                let (found, expected) = (answer(search, query), &expected["answers"][k]);
                if !same(&found, expected) {
                    wrong.push(format!("{name} by {engine}: {query:?}: {found}, not {expected}"));
                }
                questions += 1;
            }
        }
        scenes += 1;
    }
    assert!(wrong.is_empty(), "{} of {questions} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(scenes, 60);
}
