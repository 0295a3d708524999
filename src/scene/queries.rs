//! The queries of a scene file.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::model::BodySpec;
use super::values::{self, Object};
use super::{Scene, in_file};
use crate::ground::error::{Error, Result};
use crate::ground::text::named;
use crate::queries::{Nearest, PointQuery, RayCast};
use crate::world::World;
use crate::world::body::Body;

/// A query as written in a file.
#[derive(Clone, Debug, PartialEq)]
pub enum QuerySpec {
    /// A query for the bodies that contain a point.
    Point(PointQuery),
    /// A query for the bodies that hit a body which is not in the world.
    Body(BodySpec),
    /// A query for the first body that a ray meets.
    Ray(RayCast),
    /// A query for the bodies nearest to a point.
    Nearest(Nearest),
}

/// A query of a scene, ready to be run on its world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SceneQuery {
    /// A query for the bodies that contain a point.
    Point(PointQuery),
    /// A query for the bodies that hit a body which is not in the world.
    Body(Body),
    /// A query for the first body that a ray meets.
    Ray(RayCast),
    /// A query for the bodies nearest to a point.
    Nearest(Nearest),
}

impl Scene {
    /// Returns the queries of this scene, in order, to be run on its [`Scene::world`]. An error is an [`Error::In`]
    /// that names the query.
    ///
    /// ```
    /// use hitmask::query::Queries;
    /// use hitmask::scene::{SceneQuery, Scene};
    ///
    /// let scene = Scene::parse(
    ///     r#"{ "shapes": { "ball": { "circle": 2 } }, "bodies": [{ "shape": "ball", "at": [9, 0] }],
    ///          "queries": [{ "ray": [[0, 0], [20, 0]] }] }"#,
    ///     ".".as_ref(),
    /// )?;
    /// let world = scene.world()?;
    /// let [SceneQuery::Ray(ray)] = scene.prepare_queries(&world)?[..] else { panic!() };
    /// assert_eq!(Queries::new().on(&world).first(&ray)?.unwrap().body.index(), 0);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn prepare_queries(&self, world: &World) -> Result<Vec<SceneQuery>> {
        let query = |(index, spec): (usize, &QuerySpec)| match spec {
            QuerySpec::Point(point) => Ok(SceneQuery::Point(*point)),
            QuerySpec::Ray(ray) => Ok(SceneQuery::Ray(*ray)),
            QuerySpec::Nearest(nearest) => Ok(SceneQuery::Nearest(*nearest)),
            QuerySpec::Body(body) => self.asked_body(body, world).map_err(|error| self.blame_query(index, error)),
        };
        self.queries.iter().enumerate().map(query).collect()
    }

    fn asked_body(&self, spec: &BodySpec, world: &World) -> Result<SceneQuery> {
        // A shape's index in the world is its index in the scene.
        let index = self.shapes.iter().position(|(name, _)| *name == spec.shape);
        match index.and_then(|index| world.shapes().nth(index)) {
            Some((shape, _)) => spec.body(shape).map(SceneQuery::Body),
            None => Err(Error::Unknown { what: format!("shape `{}`", named(&spec.shape)) }),
        }
    }

    /// Adds the query at `index` to an error, and names fields as the file does.
    #[must_use]
    pub fn blame_query(&self, index: usize, error: Error) -> Error {
        let error = match (error, self.queries.get(index)) {
            (error, Some(QuerySpec::Body(body))) => body.blame(error),
            (Error::Value { field, value, limit }, Some(query)) => {
                let field = match query {
                    QuerySpec::Point(_) => field.replace("at.", "point."),
                    QuerySpec::Ray(_) => field.replace("from", "ray[0]").replace("to", "ray[1]"),
                    _ => field.replace("at.", "nearest."),
                };
                Error::Value { field, value, limit }
            }
            (error, _) => error,
        };
        in_file(self.file.as_deref(), error.of(format!("query {index}")))
    }
}

/// A query, key by key.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RawQuery {
    #[serde(deserialize_with = "values::some_pair", skip_serializing_if = "Option::is_none")]
    point: Option<[f64; 2]>,
    #[serde(deserialize_with = "values::some", skip_serializing_if = "Option::is_none")]
    body: Option<BodySpec>,
    #[serde(deserialize_with = "values::matrix", skip_serializing_if = "Option::is_none")]
    ray: Option<[[f64; 2]; 2]>,
    #[serde(deserialize_with = "values::some_pair", skip_serializing_if = "Option::is_none")]
    nearest: Option<[f64; 2]>,
    #[serde(deserialize_with = "values::some", skip_serializing_if = "Option::is_none")]
    within: Option<f64>,
    #[serde(deserialize_with = "values::some", skip_serializing_if = "Option::is_none")]
    count: Option<usize>,
    #[serde(deserialize_with = "values::layers", skip_serializing_if = "Option::is_none")]
    hits: Option<u32>,
}

impl<'de> Deserialize<'de> for QuerySpec {
    fn deserialize<D: Deserializer<'de>>(d: D) -> std::result::Result<Self, D::Error> {
        let Object(raw) = Object::<RawQuery>::deserialize(d)?;
        raw.spec().map_err(serde::de::Error::custom)
    }
}

impl Serialize for QuerySpec {
    fn serialize<S: Serializer>(&self, s: S) -> std::result::Result<S::Ok, S::Error> {
        RawQuery::from(self.clone()).serialize(s)
    }
}

impl RawQuery {
    fn spec(self) -> std::result::Result<QuerySpec, String> {
        let raw = self;
        let kinds = [
            ("point", raw.point.is_some()),
            ("body", raw.body.is_some()),
            ("ray", raw.ray.is_some()),
            ("nearest", raw.nearest.is_some()),
        ];
        let given: Vec<String> = kinds.iter().filter(|kind| kind.1).map(|kind| format!("`{}`", kind.0)).collect();
        let [kind] = given.as_slice() else {
            let given = if given.is_empty() { "none".into() } else { given.join(" and ") };
            return Err(format!("a query has exactly one of `point`, `body`, `ray`, `nearest`; this one has {given}"));
        };
        let nearest = raw.nearest.is_some();
        for (key, given) in [("within", raw.within.is_some()), ("count", raw.count.is_some())] {
            if given && !nearest {
                return Err(format!("`{key}` goes with `nearest`; this is a {kind}"));
            }
        }
        if raw.hits.is_some() && raw.body.is_some() {
            return Err("the `hits` of a `body` goes inside it".into());
        }
        let hits = raw.hits.unwrap_or(u32::MAX);
        match raw {
            RawQuery { point: Some(at), .. } => Ok(QuerySpec::Point(PointQuery::new(at).hitting(hits))),
            RawQuery { body: Some(body), .. } => Ok(QuerySpec::Body(body)),
            RawQuery { ray: Some([from, to]), .. } => Ok(QuerySpec::Ray(RayCast::new(from, to).hitting(hits))),
            RawQuery { nearest: Some(at), within, count, .. } => {
                let near = Nearest::new(at).hitting(hits);
                Ok(QuerySpec::Nearest(Nearest {
                    within: within.unwrap_or(near.within),
                    count: count.unwrap_or(near.count),
                    ..near
                }))
            }
            _ => Err("a query asks something".into()),
        }
    }
}

impl From<QuerySpec> for RawQuery {
    fn from(spec: QuerySpec) -> Self {
        let but = |hits: u32| Some(hits).filter(|&hits| hits != u32::MAX);
        match spec {
            QuerySpec::Point(PointQuery { at, mask: hits }) => {
                Self { point: Some(at.into()), hits: but(hits), ..Self::default() }
            }
            QuerySpec::Body(body) => Self { body: Some(body), ..Self::default() },
            QuerySpec::Ray(RayCast { from, to, mask: hits, .. }) => {
                Self { ray: Some([from.into(), to.into()]), hits: but(hits), ..Self::default() }
            }
            QuerySpec::Nearest(Nearest { at, within, count, mask: hits }) => Self {
                nearest: Some(at.into()),
                within: Some(within).filter(|within| within.is_finite()),
                count: Some(count).filter(|&count| count != usize::MAX),
                hits: but(hits),
                ..Self::default()
            },
        }
    }
}
