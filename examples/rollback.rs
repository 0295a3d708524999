//! Rollback: a duel of two players whose inputs reach each other late. Prints how often each player's machine went back
//! and played again.
//!
//! ```text
//! a frame:  receive the other's inputs of earlier frames     Peer::receive
//!           if one was predicted wrong, go back to it        World::load_into
//!           play again up to this frame
//!           predict the other's input, play this frame       Peer::advance, World::save_into
//! ```
//!
//! Each peer plays the whole game, and only inputs are sent. The other's next input is predicted to be the last known.
//! A frame is confirmed once all inputs before it are known. Its state then equals, bit for bit and handle for handle,
//! that of a run that knew all inputs from the start: the example asserts it. The game is in `duel/mod.rs`; the
//! repository's `tests/rollback.rs` plays it with the crate `ggrs`.

mod duel;

use duel::{Game, Input, Saved, random, script};
use hitmask::Result;

const FRAMES: usize = 600;
/// The most frames by which an input is late, and so the depth of the deepest rollback.
const LATE: usize = 7;

/// One player's machine.
struct Peer {
    /// The player: 0 or 1.
    me: usize,
    game: Game,
    /// The state before each of the last frames, by frame modulo its length.
    ring: Vec<Saved>,
    /// The inputs of the frames played. From frame `known` on, those of the other are predicted.
    inputs: Vec<[Input; 2]>,
    known: usize,
    /// The number of frames played again in each rollback.
    rollbacks: Vec<usize>,
}

impl Peer {
    fn new(me: usize) -> Result<Self> {
        let game = Game::new()?;
        let ring = vec![game.save()?; LATE + 1];
        Ok(Self { me, game, ring, inputs: Vec::new(), known: 0, rollbacks: Vec::new() })
    }

    /// Receives the other's inputs from frame `known` on. Goes back to the first that was predicted wrong, if any, and
    /// plays again from there.
    fn receive(&mut self, inputs: &[Input]) -> Result<()> {
        let (other, start, now) = (1 - self.me, self.known, self.inputs.len());
        self.known += inputs.len();
        let Some(wrong) = (start..self.known).find(|&frame| self.inputs[frame][other] != inputs[frame - start]) else {
            return Ok(());
        };
        self.rollbacks.push(now - wrong);
        self.game.load(&self.ring[wrong % self.ring.len()])?;
        for frame in wrong..now {
            self.inputs[frame][other] = inputs[(frame - start).min(inputs.len() - 1)];
            self.play(frame)?;
        }
        Ok(())
    }

    /// Plays the next frame, with the player's input and a prediction of the other's.
    fn advance(&mut self, input: Input) -> Result<()> {
        let mut inputs = self.inputs.last().copied().unwrap_or_default();
        inputs[self.me] = input;
        self.inputs.push(inputs);
        self.play(self.inputs.len() - 1)
    }

    /// Saves the state before a frame and plays it.
    fn play(&mut self, frame: usize) -> Result<()> {
        let slot = frame % self.ring.len();
        self.game.save_into(&mut self.ring[slot])?;
        self.game.step(self.inputs[frame])
    }
}

/// Plays the duel with all inputs known, and then by two peers. Returns how often these went back, and who won.
pub(crate) fn run() -> Result<String> {
    let inputs = script(FRAMES);
    let (mut straight, mut states) = (Game::new()?, Vec::new());
    for &inputs in &inputs {
        states.push(straight.save()?);
        straight.step(inputs)?;
    }

    let sent = [0, 1].map(|player| inputs.iter().map(|inputs| inputs[player]).collect::<Vec<_>>());
    let (mut peers, mut seed) = ([Peer::new(0)?, Peer::new(1)?], 2);
    for frame in 0..FRAMES {
        for peer in &mut peers {
            // A packet has all inputs up to its frame, so one that was overtaken brings nothing new.
            let to = (frame + 1 + random(&mut seed, LATE as u32) as usize).saturating_sub(LATE);
            let (from, other) = (peer.known, &sent[1 - peer.me]);
            peer.receive(other.get(from..to).unwrap_or_default())?;
            peer.advance(sent[peer.me][frame])?;
            let saved = |frame: usize| &peer.ring[frame % peer.ring.len()];
            let differs = (from..=peer.known).find(|&frame| *saved(frame) != states[frame]);
            assert_eq!(differs, None, "a confirmed frame of player {}", peer.me);
        }
    }

    let mut lines = vec![format!("{FRAMES} frames, in which inputs arrive 1 to {LATE} frames late")];
    for peer in &mut peers {
        peer.receive(&sent[1 - peer.me][peer.known..])?;
        assert_eq!(peer.game.world.checksum(), straight.world.checksum());
        assert_eq!((&peer.game.world, &peer.game.state), (&straight.world, &straight.state));
        let (count, again) = (peer.rollbacks.len(), peer.rollbacks.iter().sum::<usize>());
        let deepest = peer.rollbacks.iter().max().copied().unwrap_or_default();
        lines.push(format!(
            "player {}: {count} rollbacks of up to {deepest} frames, {again} frames played again",
            peer.me
        ));
    }
    lines.push(format!("both end as a run that knew all inputs, with the checksum {:016x}", straight.world.checksum()));
    let [left, right] = straight.state.won;
    lines.push(format!("rounds won: {left} by player 0, {right} by player 1"));
    Ok(lines.join("\n"))
}

fn main() -> Result<()> {
    println!("{}", run()?);
    Ok(())
}
