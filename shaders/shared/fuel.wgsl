// What this invocation may still do, in iterations of loops, before it leaves the rest to the next dispatch. It may
// fall below 0: the search of one pair of cores is never left half done.
var<private> fuel: i32;

// Whether a search has not ended in as many turns as one can take: what came of it means nothing.
var<private> endless: bool;
