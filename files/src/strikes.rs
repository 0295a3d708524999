//! Attacks that hit each target once.

use std::collections::HashMap;

use crate::cast::Part;

/// The targets that attacks have hit, so that each is hit once in an attack, however many steps it takes and however
/// many boxes meet.
///
/// An attack is one time that an actor plays a tag: it begins with [`Cast::play`](crate::Cast::play).
///
/// ```
/// use hitmask_files::Strikes;
///
/// let mut strikes = Strikes::default();
/// let (attacker, target) = (7, 9);
/// assert!(strikes.is_first(attacker, 1, target));
/// assert!(!strikes.is_first(attacker, 1, target)); // in a later step
/// assert!(strikes.is_first(attacker, 2, target)); // a second attack
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strikes {
    /// By attacker: the number of its attack, and the targets of it.
    attacks: HashMap<u64, (u32, Vec<u64>)>,
}

impl Strikes {
    /// Records that a part has hit another, and returns whether it is the first hit of that entity in the attack.
    pub fn hits(&mut self, attack: &Part<'_>, target: &Part<'_>) -> bool {
        self.is_first(attack.entity, attack.plays, target.entity)
    }

    /// Records that an attack of an entity, by the number of the attack, has hit a target, and returns whether it is
    /// the first hit of the target. A new number forgets the targets of the attack before.
    pub fn is_first(&mut self, attacker: u64, attack: u32, target: u64) -> bool {
        let (number, targets) = self.attacks.entry(attacker).or_insert((attack, Vec::new()));
        if *number != attack {
            *number = attack;
            targets.clear();
        }
        let is_first = !targets.contains(&target);
        if is_first {
            targets.push(target);
        }
        is_first
    }

    /// Forgets the attack of an entity, as one that is removed.
    pub fn forget(&mut self, attacker: u64) {
        self.attacks.remove(&attacker);
    }
}
