"""`hitmask.arcade`, judged by numpy and Pillow, and by arcade's functions on full rectangles."""

import gc
import itertools
import math
import subprocess
import sys
import threading

import arcade
import brute
import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from made_sprites import FULL, TRANSFORMS, image_of, list_of, sprite_of, texels_of
from PIL import Image

import hitmask
import hitmask.arcade as fast


def full(width, height, at=(0, 0), **rest):
    return sprite_of(np.ones((height, width), bool), at, **rest)


def painted(texels, at, size, degrees):
    """Returns the pixels of a sprite by the contract, in its coordinates, in which y points down."""
    turn = math.radians(degrees)
    # Exact for quarters, as the contract has it.
    cos, sin = (
        [(1, 0), (0, 1), (-1, 0), (0, -1)][int(degrees / 90) % 4]
        if degrees % 90 == 0
        else (math.cos(turn), math.sin(turn))
    )
    x, y = size[0] / texels.shape[1], size[1] / texels.shape[0]
    linear = (cos * x, -sin * y), (sin * x, cos * y)
    return brute.painted(texels, (at[0], -at[1]), linear, (texels.shape[1] / 2, texels.shape[0] / 2))


signs = st.sampled_from([1, -1])
scales = st.tuples(st.floats(0.3, 2.5), st.floats(0.3, 2.5), signs, signs).map(lambda s: (s[0] * s[2], s[1] * s[3]))
angles = st.one_of(st.sampled_from([0, 90, 180, -90, 360]), st.floats(-400, 400))
placed = st.tuples(
    strategies.texels(),
    strategies.points,
    st.one_of(st.just((1, 1)), scales),
    angles,
    st.lists(st.sampled_from(sorted(TRANSFORMS)), max_size=2),
)


def make(texels, at, scale, angle, transforms):
    """Returns a sprite, and the pixels that it paints."""
    image = image_of(texels)
    texture = arcade.Texture(image, hit_box_algorithm=FULL)
    for name in transforms:
        texture = getattr(texture, name)()
        image = image.transpose(TRANSFORMS[name])
    sprite = arcade.Sprite(texture, scale, *at, angle)
    assert (sprite.width, sprite.height) == (image.width * scale[0], image.height * scale[1])
    return sprite, painted(texels_of(image), at, (sprite.width, sprite.height), angle)


def functions(sprite, sprites):
    """Returns the answer of each function for a sprite and a list of others."""
    plain, hashed = list_of(sprites), list_of(sprites, True)
    yield [other for other in sprites if fast.check_for_collision(sprite, other)]
    yield [other for other in sprites if fast.check_for_collision(other, sprite)]
    for method in range(4):
        yield fast.check_for_collision_with_list(sprite, plain, method)
        for sprite_list in [hashed, plain]:
            found = fast.check_for_collision_with_list(sprite, sprite_list, method=method)
            # A set has no order, and only 0 and 1 ask the spatial hash.
            yield sorted(found, key=sprites.index) if method < 2 and sprite_list is hashed else found
        found = fast.check_for_collision_with_lists(sprite, iter([plain, hashed]), method)
        yield found[: len(found) // 2]
        yield sorted(found[len(found) // 2 :], key=sprites.index)
    yield [other for _, other in fast.collide([sprite], plain)]


@settings(max_examples=150)
@given(placed, st.lists(placed, max_size=5))
def test_sprites_collide_where_they_paint_the_same_pixel(one, rest):
    sprite, pixels = make(*one)
    others = [make(*other) for other in rest]
    right = [other for other, painted in others if pixels & painted]
    for found in functions(sprite, [other for other, _ in others]):
        assert found == right


@given(st.lists(placed, max_size=6), st.lists(placed, max_size=4), st.booleans())
def test_all_pairs(first, second, shared):
    a, b = [make(*one) for one in first], [make(*one) for one in second]
    if shared:
        b += a[:2]
    sprites = lambda made: [sprite for sprite, _ in made]
    right = [(s, t) for s, p in a for t, q in b if s is not t and p & q]
    assert fast.collide(sprites(a), list_of(sprites(b))) == right
    right = [(s, t) for (s, p), (t, q) in itertools.combinations(a, 2) if p & q]
    assert fast.collide(list_of(sprites(a))) == right
    assert fast.collide(iter(sprites(a)), None) == right


whole = st.tuples(strategies.texels(), st.tuples(st.integers(-16, 16), st.integers(-16, 16)), signs, signs)


@given(whole, whole, st.integers(1, 3), st.tuples(st.integers(-9, 9), st.integers(-9, 9)))
def test_unturned_sprites_bit_for_bit_as_pillow_pastes_them(one, other, times, pixel):
    canvases, sprites = [], []
    for texels, (left, bottom), x, y in [one, other]:
        image = image_of(texels)
        sprite = sprite_of(texels, scale=(x * times, y * times))
        image = image.resize((image.width * times, image.height * times), Image.Resampling.NEAREST)
        sprite.position = left + image.width / 2, bottom + image.height / 2
        if x < 0:
            image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        if y < 0:
            image = image.transpose(Image.Transpose.FLIP_TOP_BOTTOM)
        canvas = Image.new("RGBA", (128, 128))
        canvas.paste(image, (left + 32, 128 - (bottom + image.height) - 32))
        canvases.append(texels_of(canvas))
        sprites.append(sprite)
    assert fast.check_for_collision(*sprites) == (canvases[0] & canvases[1]).any()
    x, y = pixel
    for at in [(x, y), (x + 0.5, y + 0.5), (x + 0.99, y)]:
        # Row 95 of the canvas is the row of pixels above y = 0.
        right = [sprite for sprite, canvas in zip(sprites, canvases) if canvas[95 - y, x + 32]]
        assert fast.get_sprites_at_point(at, list_of(sprites)) == right


@given(st.lists(placed, max_size=4), strategies.points)
def test_sprites_at_a_point(rest, at):
    made = [make(*one) for one in rest]
    pixel = math.floor(at[0]), -1 - math.floor(at[1])
    right = [sprite for sprite, pixels in made if pixel in pixels]
    sprites = [sprite for sprite, _ in made]
    assert fast.get_sprites_at_point(at, list_of(sprites)) == right
    found = fast.get_sprites_at_point(at, list_of(sprites, True))
    assert sorted(found, key=sprites.index) == right


@pytest.mark.parametrize("angle", [0, 360])
def test_positions_count_to_a_256th(angle):
    for steps in [*range(-260, 261, 5), -257, -256, -1, 0, 1, 255, 256, 257]:
        # The pixel whose centre lies in the square, or on its left or upper edge.
        x, y = math.ceil((steps - 256) / 256), math.floor(steps / 256)
        for at, pixel in [((steps / 256, 0.5), (x, 0)), ((0.5, steps / 256), (0, y))]:
            sprite = full(1, 1, at, angle=angle)
            dot = full(1, 1, (pixel[0] + 0.5, pixel[1] + 0.5))
            assert fast.check_for_collision(sprite, dot) and fast.collide([sprite, dot]) == [(sprite, dot)]
            assert fast.get_sprites_at_point(pixel, list_of([sprite])) == [sprite]


def test_a_point_on_an_edge_lies_in_the_pixel_to_the_right_and_above():
    sprite_list = list_of([full(2, 2)])
    inside = [(-1, -1), (0, 0), (0.99, 0.99), (-1, 0.5)]
    outside = [(-1.01, 0), (1, 0), (0, 1), (0, -1.01), (1, 1)]
    for at in inside + outside:
        assert bool(fast.get_sprites_at_point(at, sprite_list)) == (at in inside)


@given(strategies.texels(), st.lists(st.sampled_from(sorted(TRANSFORMS)), max_size=4))
def test_masks_of_textures_that_are_flipped_and_turned(texels, transforms):
    image = image_of(texels)
    texture = arcade.Texture(image, hit_box_algorithm=FULL)
    for name in transforms:
        texture, image = getattr(texture, name)(), image.transpose(TRANSFORMS[name])
    assert (fast.from_texture(texture).to_array() == texels_of(image)).all()


side = st.integers(1, 8).map(lambda half: 2 * half)
rectangle = st.tuples(side, side, st.integers(-12, 12), st.integers(-12, 12), st.integers(1, 3))


@given(st.lists(rectangle, min_size=1, max_size=7), st.integers(-20, 20), st.integers(-20, 20), st.booleans())
def test_full_rectangles_collide_as_in_arcade(rectangles, x, y, spatial):
    sprites = [full(w, h, (x, y), scale=scale) for w, h, x, y, scale in rectangles]
    sprite, plain, spatial_list = sprites[0], list_of(sprites), list_of(sprites, True)
    for other in sprites:
        assert fast.check_for_collision(sprite, other) == arcade.check_for_collision(sprite, other)
    assert fast.check_for_collision_with_list(sprite, plain) == arcade.check_for_collision_with_list(sprite, plain)
    # Older versions of arcade want a window for other methods.
    right = arcade.check_for_collision_with_lists(sprite, [plain, plain], 3)
    assert fast.check_for_collision_with_lists(sprite, [plain, plain], 3) == right
    right = arcade.check_for_collision_with_list(sprite, spatial_list)
    found = fast.check_for_collision_with_list(sprite, spatial_list)
    assert len(found) == len(right) and set(found) == set(right)
    at = x + 0.5, y + 0.25
    assert fast.get_sprites_at_point(at, plain) == arcade.get_sprites_at_point(at, plain)
    assert set(fast.get_sprites_at_point(at, spatial_list)) == set(arcade.get_sprites_at_point(at, spatial_list))


def test_neither_hit_boxes_nor_hollows_count():
    ring = np.ones((20, 20), bool)
    ring[2:-2, 2:-2] = False
    a, b = sprite_of(ring), full(4, 4)
    assert arcade.check_for_collision(a, b) and not fast.check_for_collision(a, b)
    b.position = 0, 9
    assert fast.check_for_collision(a, b)
    solid = full(20, 20).texture
    a.texture, b.position = solid, (0, 0)
    assert fast.check_for_collision(a, b)
    b.hit_box = arcade.hitbox.HitBox([(90, 90), (91, 90), (91, 91)])
    assert not arcade.check_for_collision(a, b) and fast.check_for_collision(a, b)


def test_an_overlap_of_less_than_a_pixel_may_be_none():
    a, b = full(4, 4), full(4, 4, (3.75, 0))
    assert arcade.check_for_collision(a, b) and not fast.check_for_collision(a, b)
    b.center_x = 3
    assert fast.check_for_collision(a, b)
    # Less than a pixel, around a pixel's centre.
    for ends in [((0.6, 0), (4.4, 0)), ((0, 0.6), (0, 4.4))]:
        a.position, b.position = ends
        assert fast.check_for_collision(a, b) and fast.check_for_collision(b, a)
        assert fast.check_for_collision_with_list(a, list_of([b])) == [b]


def test_visible_alpha_and_colour_do_not_matter():
    a, b = full(4, 4), full(4, 4, (1, 1))
    a.visible, a.alpha, b.color = False, 0, (0, 0, 0, 0)
    for module in (arcade, fast):
        assert module.check_for_collision(a, b)
        assert module.check_for_collision_with_list(a, list_of([b])) == [b]
        assert module.get_sprites_at_point((0.5, 0.5), list_of([a, b])) == [a, b]
    assert fast.collide([a, b]) == [(a, b)]


def test_no_sprite_of_a_list_collides_with_itself():
    a = full(4, 4)
    for module in (arcade, fast):
        assert module.check_for_collision_with_list(a, list_of([a])) == []
        assert module.check_for_collision_with_lists(a, [list_of([a])]) == []
        assert module.check_for_collision(a, a)
    assert fast.collide([a], [a]) == []


@pytest.mark.parametrize("basic", [arcade.BasicSprite, arcade.Sprite, arcade.SpriteCircle, arcade.SpriteSolidColor])
def test_all_kinds_of_sprites(basic):
    if basic is arcade.SpriteCircle:
        sprite = basic(8, arcade.color.RED)
    elif basic is arcade.SpriteSolidColor:
        sprite = basic(16, 16)
    else:
        sprite = basic(full(16, 16).texture)
    # The corner of the box, which a circle does not fill.
    for at, right in [((0.5, 0.5), True), ((7.5, 7.5), basic is not arcade.SpriteCircle), ((8.5, 0.5), False)]:
        assert bool(fast.get_sprites_at_point(at, list_of([sprite]))) == right
        assert fast.check_for_collision(sprite, full(1, 1, at)) == right


def test_the_size_of_a_sprite_counts_not_that_of_its_image():
    wall = arcade.SpriteSolidColor(20_000, 3, 0.0, 0.5)
    assert wall.texture.image.width < 100
    for at, right in [((9999.5, 1.5), True), ((9999.5, -0.5), True), ((10_000.5, 0.5), False), ((0.5, 2.5), False)]:
        dot = full(1, 1, at)
        assert fast.check_for_collision(wall, dot) == bool(fast.collide([wall], [dot])) == right
        assert bool(fast.get_sprites_at_point(at, list_of([wall]))) == right
    turned = arcade.SpriteSolidColor(20_000, 2, 0.0, 0.0, angle=90)
    for at, right in [((0.5, 9999.5), True), ((0.5, -9999.5), True), ((0.5, 10_000.5), False), ((1.5, 0.5), False)]:
        dot = full(1, 1, at)
        assert fast.check_for_collision(dot, turned) == bool(fast.collide([dot], [turned])) == right


def test_scales_below_a_64th_paint_nothing():
    dot = full(1, 1, (0.5, 0.5))
    for scale, right in [(1 / 60, True), (1 / 70, False), (0, False)]:
        sprite = full(256, 256, scale=scale)
        assert fast.check_for_collision(sprite, dot) == bool(fast.collide([sprite, dot])) == right
        assert fast.check_for_collision_with_list(dot, list_of([sprite])) == [sprite] * right
        assert fast.get_sprites_at_point((0.5, 0.5), list_of([sprite])) == [sprite] * right


def test_thresholds():
    image = Image.new("RGBA", (4, 1), (255, 255, 255, 255))
    image.putalpha(Image.fromarray(np.array([[0, 127, 128, 255]], np.uint8)))
    texture = arcade.Texture(image, hit_box_algorithm=FULL)
    sprite = arcade.Sprite(texture, 1, 2, 0.5)
    sprite_list = list_of([sprite])
    for options, right in [({}, "..##"), ({"threshold": 126}, ".###"), ({"threshold": 254}, "...#")]:
        assert fast.from_texture(texture, **options).to_rows() == [right]
        for x, solid in enumerate(right):
            answer, dot = [sprite] * (solid == "#"), full(1, 1, (x + 0.5, 0.5))
            assert fast.get_sprites_at_point((x, 0), sprite_list, **options) == answer
            assert fast.check_for_collision(sprite, dot, **options) == bool(answer)
            assert fast.check_for_collision_with_list(dot, sprite_list, **options) == answer
            assert fast.check_for_collision_with_lists(dot, [sprite_list], **options) == answer
            assert fast.collide([sprite], [dot], **options) == [(sprite, dot)] * len(answer)


def test_an_image_without_alpha_is_solid():
    texture = arcade.Texture(Image.new("RGB", (3, 2)), hit_box_algorithm=FULL)
    assert fast.from_texture(texture).to_rows() == ["###", "###"]


def test_masks_of_textures_are_kept_as_long_as_the_texture_lives():
    gc.collect()
    before = len(fast._kept)
    sprite, dot = full(4, 4), full(1, 1, (0.5, 0.5))
    assert fast.check_for_collision(sprite, dot)
    kept = fast._stencil(sprite.texture, 127)
    assert fast.collide([sprite, dot]) == [(sprite, dot)] and fast._stencil(sprite.texture, 127) is kept
    sprite.texture.image = Image.new("RGBA", (4, 4))
    assert fast.check_for_collision(sprite, dot)  # as it was
    fast.forget(sprite.texture)
    assert not fast.check_for_collision(sprite, dot) and fast.collide([sprite, dot]) == []
    fast.forget(sprite.texture)
    fast.forget(sprite.texture)
    assert fast.check_for_collision(dot, dot) and len(fast._kept) == before + 1
    del sprite, dot, kept
    gc.collect()
    assert len(fast._kept) == before


def test_few_painted_masks_are_kept():
    sprite, dot = full(4, 4, scale=2), full(1, 1, (0.5, 0.5))
    for angle in range(2 * fast._MOST_PAINTED):
        sprite.angle = angle
        assert fast.check_for_collision(sprite, dot)
        assert 0 < len(fast._stencil(sprite.texture, 127).painted) <= fast._MOST_PAINTED


def test_few_stencils_for_larger_scales_are_kept():
    sprite, dot = full(4, 4), full(1, 1, (0.5, 0.5))
    for step in range(1, 2 * fast._MOST_PAINTED):
        sprite.width = 512 * math.sqrt(step)  # whose texels are repeated about so often
        assert fast.check_for_collision(sprite, dot)
        assert 0 < len(fast._stencil(sprite.texture, 127).larger) <= fast._MOST_PAINTED


def test_threads_may_share_a_texture():
    texture, wrong = full(8, 2).texture, []
    sprites = [arcade.Sprite(texture, 1, 0, 0, angle) for angle in (0.5, 89.5)]
    dot = full(1, 1, (3.5, 0.5))

    def ask(seed):
        for _ in range(300):
            fast._stencil(texture, 127).painted.clear()
            for sprite, right in zip(sprites, (True, False)):
                if fast.check_for_collision(sprite, dot) != right:
                    wrong.append(sprite.angle)

    assert fast.check_for_collision(sprites[0], dot)
    threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_wrong_arguments_raise_what_arcade_raises():
    a, sprite_list = full(2, 2), list_of([])
    cases = [
        ("check_for_collision", (1, a)),
        ("check_for_collision", (a, 1)),
        ("check_for_collision", (a, sprite_list)),
        ("check_for_collision", (sprite_list, a)),
        ("check_for_collision_with_list", (1, sprite_list)),
        ("check_for_collision_with_list", (a, [a])),
        ("check_for_collision_with_list", (a, a)),
        ("check_for_collision_with_lists", (1, [sprite_list])),
        ("check_for_collision_with_lists", (a, sprite_list, 0, 1)),
        ("check_for_collision_with_lists", (a, 1)),
        ("check_for_collision_with_lists", (a, [[a]])),
        ("get_sprites_at_point", ((0, 0), [a])),
        ("get_sprites_at_point", ((0, 0), a)),
        ("get_sprites_at_point", (1, list_of([a]))),
    ]
    for name, arguments in cases:
        raised = []
        for module in (arcade, fast):
            with pytest.raises((TypeError, AttributeError)) as error:
                getattr(module, name)(*arguments)
            raised.append((error.type, str(error.value)))
        assert raised[0][0] is raised[1][0]
        if "positional" not in raised[0][1]:
            assert raised[0] == raised[1]


def test_positions_that_are_nowhere_or_far_away():
    a, b = full(2, 2), full(2, 2)
    for x in (float("nan"), 2.2e6, -2.2e6):
        a.position = x, 0
        with pytest.raises(hitmask.Error):
            fast.collide([a, b])
        assert not fast.check_for_collision(a, b) and not fast.check_for_collision(b, a)
        assert fast.check_for_collision_with_list(a, list_of([b])) == []
        assert fast.check_for_collision_with_list(b, list_of([a])) == []
        assert fast.get_sprites_at_point((0, 0), list_of([a, b])) == [b]
    a.position = b.position = 1.9e6, -1.9e6
    assert fast.collide([a, b]) == [(a, b)]


def test_large_sprites_among_small_ones():
    large, turned = [full(600, 40, (0, 0), scale=(2, 1), angle=angle) for angle in (45, 90)]
    small = full(4, 4, (0, 0))
    right = [small, large, turned]
    missed = [full(4, 4, (0, 30)), full(600, 40, (450, 450), angle=-45)]
    for sprite in (small, full(900, 2, (0, 0), angle=7)):
        sprites = [missed[0], *right[:2], missed[1], turned]
        right_here = [other for other in right if other is not sprite]
        assert fast.check_for_collision_with_list(sprite, list_of(sprites)) == right_here
        assert [other for other in sprites if fast.check_for_collision(sprite, other)] == right
    assert fast.check_for_collision(large, large)


@pytest.mark.parametrize("at", [(3e6, 0), (-3e6 - 0.75, 2e7 + 0.25)])
def test_large_sprites_far_away(at):
    near = full(600, 40, at, angle=45), full(600, 40, (at[0] + 300, at[1] - 300), angle=45)
    far = full(600, 40, (at[0] + 100, at[1] + 100), angle=45)
    for a, b, right in [(near[0], near[0], True), (*near, True), (near[0], far, False), (far, near[1], False)]:
        assert arcade.check_for_collision(a, b) == fast.check_for_collision(a, b) == right
        assert fast.check_for_collision_with_list(a, list_of([b])) == [b] * (right and a is not b)


def test_arguments_have_arcades_names_and_defaults():
    a, b = full(2, 2), full(2, 2)
    sprite_list = list_of([b])
    for module in (arcade, fast):
        assert module.check_for_collision(sprite1=a, sprite2=b)
        assert module.check_for_collision_with_list(sprite=a, sprite_list=sprite_list, method=3) == [b]
        assert module.check_for_collision_with_lists(sprite=a, sprite_lists=[sprite_list], method=3) == [b]
        assert module.get_sprites_at_point(point=(0.5, 0.5), sprite_list=sprite_list) == [b]


def test_a_spatial_hash_is_asked_for_a_cell_more():
    walls = arcade.SpriteList(use_spatial_hash=True, spatial_hash_cell_size=16)
    wall = full(64, 4, (0, 0))
    player = full(4, 4)
    walls.append(wall)
    # Its hit box is in the cell at the left end alone, and its pixels reach right.
    wall.hit_box = arcade.hitbox.HitBox([(-32, -2), (-28, -2), (-28, 2), (-32, 2)])
    walls.spatial_hash.move(wall)
    for x, found in [(-30, True), (-10, True), (30, False)]:
        player.position = x, 0
        for method in range(4):
            right = [wall] * (found or method > 1)
            assert fast.check_for_collision_with_list(player, walls, method) == right
            assert fast.check_for_collision_with_lists(player, [walls], method) == right
        assert fast.check_for_collision(player, wall)


def test_no_method_needs_a_window(tmp_path):
    code = """
import arcade, hitmask.arcade as fast
from PIL import Image
texture = arcade.Texture(Image.new("RGBA", (4, 4), "white"))
sprites = arcade.SpriteList()
sprites.extend(arcade.Sprite(texture, 1, 9 * i, 0) for i in range(1600))
for method in range(4):
    assert fast.check_for_collision_with_list(arcade.Sprite(texture), sprites, method) == [sprites[0]]
try:
    arcade.get_window()
    raise SystemExit("there is a window")
except RuntimeError:
    pass
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)


def test_order_of_a_list_from_which_sprites_were_removed():
    sprites = [full(4, 4) for _ in range(6)]
    sprite_list = list_of(sprites)
    sprite_list.remove(sprites[1])
    sprite_list.insert(0, sprites[1])
    right = [sprites[i] for i in (1, 0, 2, 3, 4, 5)]
    for module in (arcade, fast):
        assert module.check_for_collision_with_list(full(4, 4), sprite_list) == right
        assert module.get_sprites_at_point((0.5, 0.5), sprite_list) == right
