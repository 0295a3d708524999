//! Tests of levels, on files that are written here.

mod hostile;
mod ldtk;
mod terrain;
mod tiled;
mod tmx;
