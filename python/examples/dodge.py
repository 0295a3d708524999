"""A reinforcement learning environment: a player dodges balls in many worlds at once, with gymnasium's vector API.

It needs gymnasium only for its spaces and wrappers; without it, `reset` and `step` are the same.

Usage: python dodge.py [WORLDS] [STEPS]
"""

import sys
import time

import numpy as np

from hitmask import Ask, Body, Shape, World, Worlds

try:
    from gymnasium.spaces import Box, Discrete, MultiDiscrete
    from gymnasium.vector import AutoresetMode, VectorEnv
except ImportError:
    VectorEnv = object

SIDE = 64.0
RADIUS = 2.0
SPEED = 2.0
#: The speed of the fastest ball.
FAST = 4.0
#: An episode is cut off after this many steps.
LIMIT = 500
#: Stay, left, right, up, down.
MOVES = np.array([[0, 0], [-1, 0], [1, 0], [0, -1], [0, 1]], float)


class Dodge(VectorEnv):
    """A player among balls that bounce off the walls. Each step that it survives is worth 1.

    Balls may move farther than their size in a step, and still hit. An observation is the position and the motion of
    the player and of each ball. An environment whose episode has ended starts another in the next step, whose action
    is ignored and whose reward is 0.
    """

    def __init__(self, num_envs=1, balls=12):
        self.num_envs = num_envs
        world = World()
        world.add(Body(world.add_shape(Shape.circle(RADIUS)), (0, 0), layers=1, mask=2))
        world.add_all(world.add_shape(Shape.circle(1.5)), np.zeros((balls, 2)), layers=2, mask=1)
        self.worlds = Worlds(world, num_envs)
        self.at = np.zeros((num_envs, 1 + balls, 2))
        self.motion = np.zeros_like(self.at)
        self.steps = np.zeros(num_envs, int)
        self.over = np.zeros(num_envs, bool)
        self.random = np.random.default_rng()
        if VectorEnv is not object:
            self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}
            self.single_action_space, self.action_space = Discrete(5), MultiDiscrete([5] * num_envs)
            # A ball may leave by one motion before it turns.
            shape = (num_envs, 1 + balls, 4)
            low = np.full(shape, [-FAST, -FAST, -FAST, -FAST], np.float32)
            high = np.full(shape, [SIDE + FAST, SIDE + FAST, FAST, FAST], np.float32)
            self.single_observation_space, self.observation_space = Box(low[0], high[0]), Box(low, high)

    def _start(self, which):
        """Starts an episode in each of some environments."""
        shape = (int(which.sum()), self.at.shape[1] - 1)
        # On a ring around the player, flying anywhere.
        angle, heading = self.random.uniform(0, 2 * np.pi, (2, *shape, 1))
        away = self.random.uniform(SIDE / 4, SIDE / 2, (*shape, 1))
        speed = self.random.uniform(0.5, FAST, (*shape, 1))
        self.at[which, 0] = SIDE / 2
        self.at[which, 1:] = SIDE / 2 + away * np.concatenate([np.cos(angle), np.sin(angle)], -1)
        self.motion[which, 0] = 0
        self.motion[which, 1:] = speed * np.concatenate([np.cos(heading), np.sin(heading)], -1)
        self.steps[which] = 0

    def _observe(self):
        return np.concatenate([self.at, self.motion], -1, dtype=np.float32)

    def reset(self, *, seed=None, options=None):
        """Starts an episode in every environment, and returns the observations and an empty dictionary."""
        if seed is not None:
            self.random = np.random.default_rng(seed)
        self._start(np.ones(self.num_envs, bool))
        self.over[:] = False
        return self._observe(), {}

    def step(self, actions):
        """Steps every environment: returns observations, rewards, terminations, truncations, and a dictionary."""
        starts, goes = self.over, ~self.over
        self._start(starts)
        to = np.clip(self.at[:, 0] + SPEED * MOVES[actions], RADIUS, SIDE - RADIUS)
        self.motion[goes, 0] = (to - self.at[:, 0])[goes]
        self.worlds.set_moving(self.at, self.motion)
        terminated = self.worlds.run(Ask.FLAGS).flags[:, 0] & goes

        self.at[goes] += self.motion[goes]
        balls, motion = self.at[:, 1:], self.motion[:, 1:]
        motion[:] = np.where(balls < 0, np.abs(motion), np.where(balls > SIDE, -np.abs(motion), motion))
        self.steps[goes] += 1
        truncated = (self.steps >= LIMIT) & ~terminated
        self.over = terminated | truncated
        return self._observe(), np.where(goes & ~terminated, 1.0, 0.0), terminated, truncated, {}


def main():
    count, steps = (int(argument) for argument in (sys.argv[1:] + ["64", "200"][len(sys.argv) - 1 :]))
    envs, random = Dodge(count), np.random.default_rng(1)
    envs.reset(seed=1)
    start, ended = time.perf_counter(), 0
    for _ in range(steps):
        _, _, terminated, truncated, _ = envs.step(random.integers(0, 5, count))
        ended += int((terminated | truncated).sum())
    took = time.perf_counter() - start
    print(f"{ended} episodes of a player that moves at random; {count * steps / took:,.0f} steps a second")


if __name__ == "__main__":
    main()
