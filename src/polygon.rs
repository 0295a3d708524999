//! Polygons into convex pieces.
