"""`hitmask.pygame`, judged by pygame: random sprites, and pygame's own tests with its functions replaced."""

import gc
import sys
import unittest
from unittest import mock

import brute
import numpy as np
import pygame
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

import hitmask
import hitmask.pygame as fast

sides = st.one_of(st.integers(-20, 40), st.integers(-2, 2))


def image_of(texels):
    image = pygame.Surface(texels.shape[::-1], pygame.SRCALPHA)
    for y, x in np.argwhere(texels).tolist():
        image.set_at((x, y), (255, 255, 255, 255))
    return image


class Sprite(pygame.sprite.Sprite):
    """A sprite with an image, a rectangle that need not fit it, and maybe a mask of its own."""

    def __init__(self, texels, rect, own_mask, floats):
        super().__init__()
        self.image = image_of(texels)
        self.rect = pygame.FRect([v + 0.25 for v in rect]) if floats else pygame.Rect(rect)
        if own_mask:
            self.mask = pygame.mask.from_surface(self.image)


sprites = st.builds(
    Sprite,
    strategies.texels(),
    st.tuples(st.integers(-30, 30), st.integers(-30, 30), sides, sides),
    st.booleans(),
    st.sampled_from([False, False, False, True]),
)
groups = st.lists(sprites, max_size=8)
rules = st.sampled_from([None, pygame.sprite.collide_rect, pygame.sprite.collide_mask, pygame.sprite.collide_circle])


def both(function, rule):
    """Returns a function of hitmask and of pygame, with the rule that each has."""
    ours = fast.collide_mask if rule is pygame.sprite.collide_mask else rule
    return (getattr(fast, function), ours), (getattr(pygame.sprite, function), rule)


@settings(max_examples=200)
@given(groups, groups, rules, st.booleans(), st.booleans(), st.booleans())
def test_groupcollide(a, b, rule, dokilla, dokillb, same):
    answers = []
    for function, collided in both("groupcollide", rule):
        first = pygame.sprite.Group(a)
        second = first if same else pygame.sprite.Group(b, a[:2])
        found = function(first, second, dokilla, dokillb, collided)
        # In the same order, and with the same sprites left.
        answers.append((list(found.items()), first.sprites(), second.sprites()))
    assert answers[0] == answers[1]


@given(sprites, groups, rules, st.booleans())
def test_spritecollide_and_spritecollideany(sprite, others, rule, dokill):
    answers = []
    for name in ("spritecollideany", "spritecollide"):
        for function, collided in both(name, rule):
            group = pygame.sprite.Group(others)
            if name == "spritecollideany":
                answers.append(function(sprite, group, collided))
            else:
                answers.append((function(sprite, group, dokill, collided), group.sprites()))
    assert answers[0] is answers[1] and answers[2] == answers[3]
    for other in others:
        assert fast.collide_mask(sprite, other) == pygame.sprite.collide_mask(sprite, other)


@given(groups)
def test_all_pairs_of_a_group(group):
    for mask, rule in [(True, pygame.sprite.collide_mask), (False, pygame.sprite.collide_rect)]:
        # Decided by the earlier sprite of each pair, since pygame's answer for a whole and a real rectangle may
        # depend on which of them is asked.
        right = [(a, b) for i, a in enumerate(group) for b in group[i + 1 :] if rule(a, b)]
        assert fast.collide(group, mask=mask) == right
        assert fast.collide(pygame.sprite.Group(group), group, mask=mask) == [
            (a, b) for a in group for b in group if rule(a, b)
        ]


class OwnMask(pygame.mask.Mask):
    """A mask that never overlaps another one, which only its method knows."""

    def overlap(self, other, offset):
        return None


def crowd(seed, count, field):
    """Returns sprites of a few masks and images, with whole and real rectangles, some far away."""
    random = np.random.default_rng(seed)
    images = [image_of(random.random(random.integers(1, 80, 2)) < 0.2) for _ in range(4)]
    masks = [pygame.mask.from_surface(image) for image in images]
    masks += [pygame.mask.Mask((0, 5), True), OwnMask((9, 9), True)]
    found = []
    for x, y in random.integers(-field, field, (count, 2)).tolist():
        sprite = pygame.sprite.Sprite()
        # Most have one of the first masks, and so many that these are converted.
        sprite.image, kind = images[random.integers(4)], random.integers(20)
        if kind < 18:
            sprite.mask = masks[min(kind, len(masks) - 1) if kind < len(masks) else kind % 2]
        width, height = (4 * random.pareto(1.0, 2)).astype(int).clip(0, 2**20).tolist()
        sprite.rect = pygame.Rect(x, y, width, -height if kind == 3 else height)
        if kind == 4:
            sprite.rect = pygame.FRect(x + 0.5, y, width, height)
        elif kind == 5:
            sprite.rect.move_ip(random.choice([-1, 1]) * 2_000_000_000, 0)
        found.append(sprite)
    return found


@pytest.mark.parametrize("seed", range(6))
def test_crowds_of_few_masks_and_of_very_different_sizes(seed):
    group = crowd(seed, 300, 30 * (seed + 1))
    others = crowd(seed + 100, 200, 100)
    for rule, mask in [(pygame.sprite.collide_mask, True), (pygame.sprite.collide_rect, False)]:
        right = [(a, b) for i, a in enumerate(group) for b in group[i + 1 :] if theirs(rule, a, b)]
        assert right and fast.collide(group, mask=mask) == right
        # Few boxes are compared with all others, and many through a grid.
        for a in (group, group[:3]):
            right = [(one, other) for one in a for other in others if theirs(rule, one, other)]
            assert fast.collide(a, others, mask=mask) == right


def theirs(rule, a, b):
    """Returns pygame's answer, with the masks that are kept of images."""
    return (fast.collide_mask if rule is pygame.sprite.collide_mask else rule)(a, b)


@pytest.mark.parametrize("on", [True, False])
def test_the_garbage_collector_stays_as_it_was(on):
    class Unhashable(pygame.sprite.Sprite):
        __hash__ = None

    group = crowd(1, 60, 20)
    broken = Unhashable()
    broken.rect = pygame.Rect(0, 0, 50, 50)
    was = gc.isenabled()
    try:
        (gc.enable if on else gc.disable)()
        assert fast.collide(group) and gc.isenabled() is on
        assert fast.groupcollide(group, group, False, False) and gc.isenabled() is on
        with pytest.raises(TypeError):
            fast.groupcollide([broken], group, False, False)
        assert gc.isenabled() is on
    finally:
        (gc.enable if was else gc.disable)()


def test_groups_are_iterated_as_they_define_it():
    class Backwards(pygame.sprite.Group):
        def __iter__(self):
            return reversed(self.sprites())

    class Half(pygame.sprite.Group):
        def sprites(self):
            return super().sprites()[::2]

    sprites = crowd(2, 60, 20)
    for kind in (pygame.sprite.Group, pygame.sprite.LayeredUpdates, Backwards, Half):
        group = kind(sprites)
        right = [(a, b) for a in group for b in sprites if a.rect.colliderect(b.rect)]
        assert right and fast.collide(group, sprites, mask=False) == right


def test_an_image_is_no_mask():
    sprites = [Sprite(np.ones((2, 2), bool), (0, 0, 2, 2), False, False) for _ in range(2)]
    sprites[1].image = sprites[0].image
    assert fast.collide(sprites) == [tuple(sprites)]
    # An image is not a mask, even if another sprite has it as its image.
    sprites[1].mask = sprites[0].image
    for module in (pygame.sprite, fast):
        with pytest.raises((AttributeError, TypeError)):
            module.groupcollide(sprites[:1], sprites[1:], False, False, module.collide_mask)
    sprites[1].mask = None
    with pytest.raises((AttributeError, TypeError)):
        fast.collide(sprites)


turned = st.tuples(
    strategies.texels(),
    st.tuples(st.integers(-15, 15), st.integers(-15, 15)),
    st.sampled_from([0, 45, 90, 123.5, -30]),
    st.sampled_from([1, 0.5, (2, 1.5)]),
)


@given(st.lists(turned, max_size=5), st.lists(turned, max_size=4), st.booleans())
def test_turned_sprites_hit_where_they_share_a_pixel(first, second, alone):
    made, pixels = [], []
    for texels, at, angle, scale in first + second:
        sprite = Sprite(texels, (*at, *texels.shape[::-1]), False, False)
        sprite.angle, sprite.scale = angle, scale
        linear = hitmask.Linear(-angle, scale if isinstance(scale, tuple) else (scale, scale))
        anchor = texels.shape[1] / 2, texels.shape[0] / 2
        made.append(sprite)
        middle = sprite.rect.x + sprite.rect.w / 2, sprite.rect.y + sprite.rect.h / 2
        pixels.append(brute.painted(texels, middle, np.asarray(linear).tolist(), anchor))
    if alone:
        right = [(made[i], made[j]) for i, j in brute.pairs(pixels)]
        assert fast.collide(made, turned=True) == right
    else:
        split = len(first)
        right = [(made[i], made[j]) for i, j in brute.pairs(pixels) if i < split <= j]
        assert fast.collide(made[:split], made[split:], turned=True) == right


@given(strategies.texels(most=140))
def test_masks_of_surfaces(texels):
    mask = fast.from_surface(image_of(texels))
    assert (mask.to_array() == texels).all()


def test_colour_keys_and_thresholds():
    image = pygame.Surface((4, 1))
    image.set_colorkey((0, 0, 0))
    image.set_at((2, 0), (9, 9, 9))
    assert fast.from_surface(image).to_rows() == ["..#."]
    image = pygame.Surface((4, 1), pygame.SRCALPHA)
    for x, alpha in enumerate((0, 127, 128, 255)):
        image.set_at((x, 0), (0, 0, 0, alpha))
    assert fast.from_surface(image).to_rows() == ["..##"]
    assert fast.from_surface(image, 126).to_rows() == [".###"]


def test_masks_of_images_are_kept_as_long_as_the_image_lives():
    image = image_of(np.ones((3, 3), bool))
    mask = fast.mask_of(image)
    assert fast.mask_of(image) is mask
    image.fill((0, 0, 0, 0))
    assert fast.mask_of(image).count() == 9  # as it was
    fast.forget(image)
    assert fast.mask_of(image).count() == 0
    before = len(fast._pygame_masks)
    del image
    gc.collect()
    assert len(fast._pygame_masks) == before - 1


def test_wrong_sprites_raise_what_pygame_raises():
    for broken in (object(), pygame.sprite.Sprite()):
        for rule in (None, pygame.sprite.collide_mask):
            for module in (pygame.sprite, fast):
                # pygame raises either, depending on the rule.
                with pytest.raises((AttributeError, TypeError)):
                    module.groupcollide([broken], [broken], False, False, rule)
    whole = Sprite(np.ones((2, 2), bool), (0, 0, 2, 2), True, False)
    for module in (pygame.sprite, fast):
        with pytest.raises(TypeError):
            module.groupcollide([whole], [whole], False, False, 1)
    with pytest.raises(ValueError, match="mask"):
        fast.collide([whole], mask=False, turned=True)
    whole.angle = float("nan")
    with pytest.raises(hitmask.Error):
        fast.collide([whole], turned=True)
    whole.rect = "nowhere"
    with pytest.raises(TypeError):
        fast.collide([whole])


@given(st.lists(st.tuples(*[st.integers(-(2**31), 2**31 - 1)] * 2, st.integers(0, 2**20)), max_size=12))
def test_boxes_far_apart_and_of_very_different_sizes(boxes):
    group = []
    for x, y, side in boxes:
        sprite = pygame.sprite.Sprite()
        sprite.rect = pygame.Rect(x // 2, y // 2, side, side)
        group.append(sprite)
    right = [(a, b) for i, a in enumerate(group) for b in group[i + 1 :] if a.rect.colliderect(b.rect)]
    assert fast.collide(group, mask=False) == right


@pytest.fixture
def own_path(monkeypatch):
    """pygame's tests put its folder before all others, where processes that start later find its `typing`."""
    monkeypatch.setattr(sys, "path", [*sys.path])


def test_pygames_own_tests_of_sprites(own_path):
    """All tests of pygame.sprite pass with the functions of hitmask.pygame in place of its own."""
    from pygame.tests import sprite_test

    names = ("groupcollide", "spritecollide", "spritecollideany", "collide_mask")
    suite = unittest.defaultTestLoader.loadTestsFromModule(sprite_test)
    assert suite.countTestCases() > 80
    with mock.patch.multiple(pygame.sprite, **{name: getattr(fast, name) for name in names}):
        result = unittest.TextTestRunner(verbosity=0).run(suite)
    assert result.wasSuccessful(), result.failures + result.errors


#: The tests of pygame's masks that masks of hitmask do not pass, by how their names begin, each with the reason.
DIFFERENCES = {
    "test_to_surface": "hitmask draws no pictures; numpy.asarray(mask) gives the texels",
    "test_zero_mask_to_surface": "likewise",
}


def test_pygames_own_tests_of_masks(own_path):
    """All tests of pygame.mask.Mask pass with masks of hitmask behind its methods, except for those listed."""
    import pygame_masks

    names = {"Mask": pygame_masks.Mask, "from_surface": pygame_masks.from_surface}
    with mock.patch.multiple(pygame.mask, **names), mock.patch.object(pygame, "Mask", pygame_masks.Mask):
        from pygame.tests import mask_test

        suite = unittest.defaultTestLoader.loadTestsFromTestCase(mask_test.MaskTypeTest)
        result = unittest.TextTestRunner(verbosity=0).run(suite)
    failed = [test.id().rsplit(".", 1)[1] for test, _ in result.failures + result.errors]
    assert result.testsRun > 200 and len(failed) < 100
    assert [name for name in failed if not name.startswith(tuple(DIFFERENCES))] == []


plain = st.tuples(strategies.texels(), st.tuples(st.integers(-6, 6), st.integers(-6, 6)))


@given(st.lists(plain, max_size=6))
def test_sprites_that_are_not_turned_hit_as_without_turned(sprites):
    made = [Sprite(texels, (*at, *texels.shape[::-1]), False, False) for texels, at in sprites]
    assert fast.collide(made, turned=True) == fast.collide(made)
    # A full turn moves nothing either.
    for sprite in made:
        sprite.angle = 360
    assert fast.collide(made, turned=True) == fast.collide(made)


def test_images_without_pixels_hit_nothing():
    sprites = [pygame.sprite.Sprite() for _ in range(3)]
    for sprite, size in zip(sprites, [(0, 0), (4, 4), (0, 5)]):
        sprite.image = pygame.Surface(size, pygame.SRCALPHA)
        sprite.image.fill("white")
        sprite.rect = sprite.image.get_rect()
    assert fast.collide(sprites, turned=True) == fast.collide(sprites) == []
    sprites[0].mask = pygame.mask.Mask((0, 0))
    assert fast.collide(sprites, turned=True) == []
    for size in [(0, 0), (0, 5), (5, 0)]:
        with pytest.raises(hitmask.Error, match="mask"):
            fast.from_surface(pygame.Surface(size, pygame.SRCALPHA))


def test_a_sprite_need_not_be_hashable():
    class Cursor:
        __hash__ = None
        rect = pygame.Rect(0, 0, 5, 5)
        mask = pygame.mask.Mask((5, 5), True)

    others = [pygame.sprite.Sprite() for _ in range(3)]
    for x, other in enumerate(others):
        other.rect, other.mask = pygame.Rect(3 * x, 3, 5, 5), Cursor.mask
    group = pygame.sprite.Group(others)
    for rule in [None, fast.collide_mask, pygame.sprite.collide_mask]:
        right = pygame.sprite.spritecollide(Cursor(), group, False, rule)
        assert fast.spritecollide(Cursor(), group, False, rule) == right == others[:2]
        assert fast.spritecollideany(Cursor(), group, rule) is others[0]
