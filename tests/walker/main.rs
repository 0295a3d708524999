//! `response::Walker` gets everywhere that its limits allow, in as many steps as its speed implies, and nowhere else.

mod grounds;
mod limits;
mod platforms;
mod play;
mod reach;
