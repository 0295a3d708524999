//! Tests of all importers, on files that are made here.

mod ase;
mod aseprite;
mod cast;
mod fighter;
mod grid;
mod hero;
mod hostile;
mod level;
mod packages;
mod packed;
mod playback;
mod readers;
mod retouch;
mod shipped;
