// The work this invocation may still do, in loop iterations, before it leaves the rest to the next dispatch. It may
// fall below 0: the search of one pair of cores is never left half done.
var<private> fuel: i32;

// The fuel that a word, or a step of a walk, costs. A software driver runs the loops of a branch once even if no
// invocation takes it, so a step without a word costs an iteration for each loop below it.
const STEP_FUEL: i32 = 24;

// Whether a search has taken more turns than one ever needs; its result is then meaningless.
var<private> endless: bool;
