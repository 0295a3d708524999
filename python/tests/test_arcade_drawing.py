"""`hitmask.arcade`, judged by the pixels that arcade draws."""

import gc
import math

import arcade
import numpy as np
import pytest
from made_sprites import FULL, TRANSFORMS, image_of, list_of

import hitmask.arcade as fast


@pytest.fixture(scope="module")
def window():
    """A window without a screen, where there is a driver for one.

    While it is open, each list of sprites puts its textures into the window's atlas, which may lose a texture whose
    namesake is collected meanwhile. So no other test shares it, and its textures are collected before it closes.
    """
    gc.collect()
    try:
        made = arcade.Window(64, 64, antialiasing=False)
    except Exception as error:
        pytest.skip(f"arcade cannot open a window here: {error}")
    yield made
    gc.collect()
    made.close()
    arcade.set_window(None)


@pytest.mark.parametrize("seed", range(12))
def test_sprites_paint_the_pixels_that_arcade_draws(window, seed):
    random = np.random.default_rng(seed)
    texels = random.random((random.integers(5, 13), random.integers(5, 13))) < 0.6
    texture = arcade.Texture(image_of(texels), hit_box_algorithm=FULL)
    image = image_of(texels)
    for name in random.choice(sorted(TRANSFORMS), seed % 3).tolist():
        texture, image = getattr(texture, name)(), image.transpose(TRANSFORMS[name])
    angle = 0 if seed < 3 else random.uniform(-360, 360)
    scale = (random.uniform(1, 3, 2) * random.choice([1, -1], 2)).tolist()
    sprite = arcade.Sprite(texture, scale, *random.uniform(28, 36, 2).tolist(), angle)
    sprite_list = list_of([sprite])
    window.use()
    window.clear(color=(0, 0, 0, 0))
    sprite_list.draw(pixelated=True)
    drawn = np.asarray(arcade.get_image(0, 0, 64, 64))[::-1, :, 0] > 0  # row 0 at the bottom
    ours = np.array([[bool(fast.get_sprites_at_point((x, y), sprite_list)) for x in range(64)] for y in range(64)])
    # A pixel whose centre lies almost on the edge of a texel may show either.
    ys, xs = np.mgrid[:64, :64] + 0.5
    xs, ys, turn = xs - sprite.center_x, ys - sprite.center_y, math.radians(angle)
    u = (xs * math.cos(turn) - ys * math.sin(turn)) / scale[0] + image.width / 2
    v = (xs * math.sin(turn) + ys * math.cos(turn)) / scale[1] + image.height / 2
    sure = (np.abs(u - np.round(u)) > 0.02) & (np.abs(v - np.round(v)) > 0.02)
    assert drawn.sum() > 30 and sure.sum() > 3000
    assert (drawn == ours)[sure].all()
