//! Tests of levels, on files that are written here.

mod cave;
mod hostile;
mod ldtk;
mod readers;
mod terrain;
mod tiled;
mod tmx;
