// The work this invocation may still do, in loop iterations, before it leaves the rest to the next dispatch. It may
// fall below 0: the search of one pair of cores is never left half done.
var<private> fuel: i32;

// Whether a search has taken more turns than one ever needs; its result is then meaningless.
var<private> endless: bool;
