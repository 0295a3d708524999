//! `response::Walker` gets everywhere that its limits allow, in the steps that its speed says, and nowhere else.

mod grounds;
mod limits;
mod platforms;
mod play;
mod reach;
