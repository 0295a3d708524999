"""The world: shapes and bodies one by one, saving, pickling."""

import copy
import pickle

import numpy as np
import pytest

import hitmask
from hitmask import Body, Engine, Linear, Mask, Part, Shape, Touch, World


def scene():
    """Returns a world with a shape of each kind, and its bodies' handles."""
    shapes = [
        Shape.rect(4, 3),
        Shape.circle(2),
        Shape.capsule((0, 0), (5, 1), 1),
        Shape.polygon([[0, 0], [9, 0], [9, 9], [0, 9]], [[[2, 2], [7, 2], [7, 7], [2, 7]]]),
        Shape.polygon([[0, 0], [12, 3], [6, 5], [4, 14]]),
        Shape.rounded_polygon([[0, 0], [20, 0], [20, 8], [0, 8]], 2),
        Shape.chain([[0, 4], [3, 2], [6, 3]], 0.5),
        Shape.parts([Part(Shape.circle(4), (0, -12), 1), Part(Shape.rect(10, 16), (-5, -8), tag=2)]),
        Shape.sprite(Mask.from_rows(["..#", "###"])).anchored((1.5, 1)),
    ]
    world = World()
    return world, world.add_all(world.add_shapes(shapes), [[5 * k, k] for k in range(len(shapes))])


def test_shapes_keep_what_they_are():
    world, ids = scene()
    assert len(world) == 9 and len(world.shapes()) == 9
    for (id, shape), body in zip(world.shapes(), ids):
        again = pickle.loads(pickle.dumps(shape))
        assert again.anchor == shape.anchor and again.area == shape.area and again.part_tags == shape.part_tags
        assert again.mask == shape.mask
        assert world.body(body).shape == id
    assert [shape.part_tags for _, shape in world.shapes()][7] == [1, 2]
    assert world.shapes()[8][1].mask.to_rows() == ["..#", "###"]
    assert world.shapes()[0][1].mask is None and world.shapes()[0][1].area == 12


@pytest.mark.parametrize("shape", [Shape.capsule((0, 0), (9, 0), 0), Shape.chain([[0, 0], [9, 0]], 0)])
def test_a_segment_hits_what_it_crosses(shape):
    world = World()
    world.add(Body(world.add_shape(shape), (0, 0)))
    tile = world.add_shape(Shape.rect(2, 2))
    for x, y in [(2, -1), (4, 0), (7, -2)]:
        world.add(Body(tile, (x, y), layers=2, mask=1))
    assert Engine.cpu().run(world).pairs.tolist() == [[0, 1]]


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda: Shape.capsule((0, 0), (0, 0), 0), None),
        (lambda: Shape.rect(0, 1), None),
        (lambda: Shape.circle(-1), "Value"),
        (lambda: Shape.circle(float("nan")), "Value"),
        (lambda: Shape.polygon([[0, 0], [9, 9], [9, 0], [0, 9]]), "Crossing"),
        (lambda: Shape.polygon(np.zeros((0, 2))), None),
        (lambda: Shape.polygon([]), None),
        (lambda: Shape.polygon([[0, 0], [1, 1]]), None),
        (lambda: Shape.rounded_polygon([[0, 0], [12, 3], [6, 5], [4, 14]], 2), "Value"),
        (lambda: Shape.chain([[0, 0]], 1), "Value"),
        (lambda: Shape.parts([]), "Value"),
        (lambda: Shape.parts([Part(Shape.sprite(Mask(1, 1)), (0, 0))]), "Value"),
        (lambda: Shape.circle(1).anchored((1e9, 0)), "Value"),
        (lambda: Shape.circle(1).anchored((1, 2, 3)), "Value"),
    ],
)
def test_wrong_shapes(make, kind):
    with pytest.raises(hitmask.Error) as caught:
        make()
    assert kind in (None, caught.value.kind)


def test_an_error_names_the_argument():
    with pytest.raises(hitmask.Error, match=r"^`line` is of shape"):
        Shape.chain([0, 0], 1)


def test_the_life_of_bodies():
    world = World(Touch.INCLUDED)
    ball, box = world.add_shape(Shape.circle(1)), world.add_shape(Shape.rect(2, 2))
    body = Body(ball, (3, 4), linear=Linear.scaled(2), motion=(1, 0), layers=2, mask=1, detector=True, group=7, tag=99)
    id = world.add(body)
    assert world.body(id) == body and world.touch == Touch.INCLUDED
    assert world.bounds(id) == (1, 2, 5, 6) and world.swept_bounds(id) == (1, 2, 6, 6)
    world.set(id, body.replace(at=(0, 0), enabled=False))
    assert world.body(id).at == (0, 0) and not world.body(id).enabled
    world.set_enabled(id, True)
    world.set_filter(id, 4, 8, 0)
    assert world.body(id).detector and not body.replace(detector=False).detector
    world.set_detector(id, False)
    world.set_shape(id, box)
    found = world.body(id)
    assert found.detector is False
    assert (found.layers, found.mask, found.group, found.shape, found.tag) == (4, 8, 0, box, 99)
    world.advance()
    assert world.body(id).at == (1, 0)
    with pytest.raises(hitmask.Error) as caught:
        world.remove_shape(box)
    assert caught.value.kind == "Used"
    world.replace_shape(box, Shape.rect(5, 5))
    assert world.bounds(id) == (1, 0, 11, 10)
    assert world.remove(id).tag == 99
    assert world.body(id) is None and id not in world
    assert world.remove_shape(box).area == 25 and world.shape(box) is None
    world.clear()
    assert len(world) == 0 and world and world.add_all(ball, [[0, 0]])["index"].tolist() == [0]


def test_a_detector_hits_what_does_not_hit_it():
    world, engine = World(), Engine.cpu()
    ball = world.add_shape(Shape.circle(2))
    hero = world.add(Body(ball, (0, 0), layers=1, mask=2))
    zone = world.add(Body(ball, (1, 0), layers=4, mask=1))
    assert engine.run(world).pairs.tolist() == [] and not world.sees(zone, hero)
    for detects in (True, np.True_):
        world.set_detector(zone, detects)
        assert engine.run(world).pairs.tolist() == [[0, 1]]
        assert world.sees(zone, hero) is True and world.sees(hero, zone) is False
        assert World.load(world.save()).body(zone).detector is True and world.copy() == world
        world.set_detector(zone, False)
        assert engine.run(world).pairs.tolist() == [] and not world.sees(zone, hero)
    for wrong in (lambda: world.set_detector(zone, 1), lambda: Body(ball, (0, 0), detector="yes")):
        with pytest.raises(TypeError, match="'detector'"):
            wrong()
    world.remove(zone)
    gone = (lambda: world.set_detector(zone, True), lambda: world.sees(zone, hero), lambda: world.sees(hero, zone))
    for call in gone:
        with pytest.raises(hitmask.Error, match=r"^body 1 was removed, or belongs to another world$"):
            call()


def test_bodies_read_back():
    world = World()
    arrow = world.add_shape(Shape.sprite(Mask.from_rows(["..#", "###"])))
    id = world.add(Body(arrow, (10, 10), linear=Linear.from_degrees(90)))
    mask, at = world.painted(id)
    assert mask.to_rows() == ["#.", "#.", "##"] and at == (8, 10)
    assert world.texel(id, (8, 10)) == (0, 1)
    assert world.local(id, (10, 10)) == (0, 0)
    assert world.bodies_at((8.5, 10.5))["index"].tolist() == [0] and len(world.bodies_at((0, 0))) == 0
    other = world.add(Body(world.add_shape(Shape.rect(2, 2)), (20, 10)))
    distance, points = world.distance(id, other)
    assert distance == 10 and points[1][0] == 20
    assert world.holds(id, id) and not world.holds(id, other)
    world.set(other, world.body(other).replace(at=(8, 10)))
    assert world.push_along(other, id, "x") is not None and world.push_along(other, id, "y") is not None
    with pytest.raises(hitmask.Error, match="axis"):
        world.push_along(other, id, "z")
    fighter, ids = scene()
    assert fighter.parts_at(ids[7], (35, -5)) == [0] and fighter.part_tag(ids[7], 1) == 2


def test_masks_in_the_world_are_edited_in_place():
    world = World()
    cave = world.add_shape(Shape.sprite(Mask(200, 100, fill=True)))
    world.add(Body(cave, (0, 0)))
    dot = world.add(Body(world.add_shape(Shape.sprite(Mask(1, 1, fill=True))), (50, 50)))
    engine = Engine.cpu()
    assert len(engine.run(world)) == 1
    box = world.edit_mask(cave, lambda mask: mask.erase_disc((50, 50), 10))
    assert box == (40, 40, 20, 20) and len(engine.run(world)) == 0
    judge = Mask(200, 100, fill=True)
    judge.erase_disc((50, 50), 10)
    assert world.shape(cave).mask == judge
    assert world.edit_mask(cave, lambda mask: "nothing") == "nothing"
    # The edit may use the world, even change it.
    world.edit_mask(cave, lambda mask: (world.set(dot, world.body(dot).replace(at=(0, 0))), mask.set(0, 0, False)))
    assert len(engine.run(world)) == 0 and world.body(dot).at == (0, 0)
    ball = world.add_shape(Shape.circle(1))
    before = world.copy()
    with pytest.raises(ZeroDivisionError):
        world.edit_mask(cave, lambda mask: (mask.clear(), 1 / 0))
    with pytest.raises(hitmask.Error):
        world.edit_mask(world.body(dot).shape, lambda mask: world.remove_shape(cave))
    with pytest.raises(TypeError):
        world.edit_mask(cave, None)
    with pytest.raises(hitmask.Error, match="sprite"):
        world.edit_mask(ball, lambda mask: None)
    assert world.differences(before) == []


def test_edits_of_a_mask_within_an_edit_all_count():
    world = World()
    cave = world.add_shape(Shape.sprite(Mask.from_rows(["####....", "####...."])))

    def edit(mask):
        # What both erase or draw stays so, as what only one of them does.
        for draw, erase in [((4, 0, 2, 1), (0, 0, 2, 1)), ((5, 0, 2, 1), (1, 0, 2, 1))]:
            world.edit_mask(cave, lambda now: (now.draw_rect(draw), now.erase_rect(erase)))
        return mask.draw_rect((6, 0, 2, 1)), mask.erase_rect((2, 0, 2, 1))

    assert world.edit_mask(cave, edit) == ((6, 0, 2, 1), (2, 0, 2, 1))
    assert world.shape(cave).mask.to_rows() == ["....####", "####...."]
    # The last one decides about a texel that both change.
    world.edit_mask(
        cave, lambda mask: (world.edit_mask(cave, lambda now: now.fill()), mask.draw_rect((0, 0, 1, 1)), mask.invert())
    )
    assert world.shape(cave).mask.to_rows() == ["####....", "....####"]


def test_a_shape_that_was_replaced_or_removed_within_an_edit():
    world = World()
    cave = world.add_shape(Shape.sprite(Mask(4, 2)))

    def replace(shape):
        return lambda mask: (mask.set(3, 1), world.replace_shape(cave, shape))

    world.edit_mask(cave, replace(Shape.sprite(Mask.from_rows(["##..", "...."]))))
    assert world.shape(cave).mask.to_rows() == ["##..", "...#"]
    world.replace_shape(cave, Shape.sprite(Mask(4, 2)))
    with pytest.raises(hitmask.Error) as caught:
        world.edit_mask(cave, replace(Shape.sprite(Mask(5, 3))))
    assert str(caught.value) == "`mask` is now 5 x 3; it must keep its size while it is edited, 4 x 2"
    assert world.shape(cave).mask == Mask(5, 3)
    with pytest.raises(hitmask.Error, match="sprite"):
        world.edit_mask(cave, replace(Shape.circle(1)))
    assert world.shape(cave).mask is None
    world.replace_shape(cave, Shape.sprite(Mask(4, 2)))
    with pytest.raises(hitmask.Error) as caught:
        world.edit_mask(cave, lambda mask: (mask.set(0, 0), world.remove_shape(cave)))
    assert caught.value.kind == "Gone"
    with pytest.raises(hitmask.Error) as caught:
        world.edit_mask(cave, lambda mask: None)
    assert caught.value.kind == "Gone"


def test_a_sprite_falls_apart():
    world = World()
    tower = world.add_shape(Shape.sprite(Mask.from_rows(["###", ".#.", ".#.", "###", "###"])).anchored((1, 1)))
    standing = world.add_all(tower, [[100, 50], [200, 50]], linear=Linear.from_degrees(90), layers=2, tag=[7, 8])
    shot = world.edit_mask(tower, lambda mask: mask.erase_rect((0, 2, 3, 1)))
    assert shot == (1, 2, 1, 1)
    before = [world.painted(id)[0].count() for id in standing]
    (part,) = world.split(tower, shot)
    assert world.shape(part.shape).mask.to_rows() == ["###", ".#."] and world.shape(part.shape).anchor == (1, 1)
    assert world.shape(tower).mask.to_rows() == ["...", "...", "...", "###", "###"]
    assert part.bounds == (0, 0, 3, 2) and part.pivot == (1.5, 0.75)
    assert part.bodies.shape == (2, 2) and part.bodies.dtype == hitmask.BODY_ID and len(world) == 4
    assert (part.bodies[:, 0] == standing).all()
    for (old, new), count in zip(part.bodies, before):
        assert world.body(new) == world.body(old).replace(shape=part.shape)
        assert world.painted(new)[0].count() + world.painted(old)[0].count() == count
    # A fragment does not hit the body that it was cut off from, unless touching counts.
    assert len(Engine.cpu().run(world)) == 0
    world.set_moving(np.zeros((2, 2)), np.full((2, 2), 3), part.bodies[:, 1])
    assert world.body(part.bodies[1, 1]).motion == (3, 3)
    # The box may reach anywhere, and without texels of another component in it or next to it nothing comes off.
    assert world.split(tower, (0, 0, 2**32 - 1, 2**32 - 1)) == world.split(tower, (0, 0, 0, 0)) == []


def test_parts_are_joined_at_corners_or_not():
    for neighbours, count in [(8, 0), (4, 1)]:
        world = World(Touch.INCLUDED)
        step = world.add_shape(Shape.sprite(Mask.from_rows(["##.", "..#"])))
        world.add(Body(step, (0, 0)))
        parts = world.split(step, (0, 0, 3, 2), neighbours)
        assert len(parts) == count == len(Engine.cpu().run(world))
    assert len(World.split(world, step, (0, 0, 3, 2))) == 0  # one component is left


def test_splits_that_are_refused_change_nothing():
    world, _ = scene()
    before = world.copy()
    sprite, ball = world.shapes()[8][0], world.shapes()[1][0]
    with pytest.raises(hitmask.Error, match="sprite"):
        world.split(ball, (0, 0, 1, 1))
    with pytest.raises(hitmask.Error, match=r"^`neighbours` is 5; it must be 4 or 8$"):
        world.split(sprite, (0, 0, 1, 1), 5)
    with pytest.raises(OverflowError):
        world.split(sprite, (-1, 0, 1, 1))
    other = world.add_shape(Shape.circle(1))
    world.remove_shape(other)
    with pytest.raises(hitmask.Error) as caught:
        world.split(other, (0, 0, 1, 1))
    assert caught.value.kind == "Gone"
    assert [world.shape(id) is not None for id, _ in before.shapes()] == [True] * 9 and len(world) == len(before)


def test_saving_loading_and_pickling():
    world, ids = scene()
    saved = world.save()
    for other in (World.load(saved), pickle.loads(pickle.dumps(world)), copy.copy(world), copy.deepcopy(world)):
        assert other == world and other is not world and other.checksum() == world.checksum()
        assert other.body(ids[3]) == world.body(ids[3])
        other.set_positions(np.ones((9, 2)))
        assert other != world and other.checksum() != world.checksum() and other.differences(world)
        other.load_into(world.save(bodies_only=True))
        assert other == world and not other.differences(world)
    with pytest.raises(hitmask.Error) as caught:
        World.load(saved[:-1])
    assert caught.value.kind == "Saved"
    with pytest.raises(hitmask.Error):
        World().load_into(world.save(bodies_only=True))
    for wrong in (b"", b"\0" * 100, saved[::-1]):
        with pytest.raises(hitmask.Error):
            World.load(wrong)
        with pytest.raises(hitmask.Error):
            Shape._load(wrong)
    with pytest.raises(TypeError):
        World.load("text")


def test_small_things_are_pickled():
    world, ids = scene()
    body = Body(
        world.body(ids[8]).shape, (1, 2), linear=Linear(30, (2, 2)), motion=(3, 4), layers=5, enabled=False, tag=6
    )
    detector = body.replace(detector=True, mask=8, group=7)
    for thing in (world.id(3), body.shape, body, detector, Linear(17, (2, 3), flip_x=True)):
        assert pickle.loads(pickle.dumps(thing)) == thing
    assert (pickle.loads(pickle.dumps(ids)) == ids).all()


def test_reprs():
    world, ids = scene()
    assert repr(world) == "<hitmask.World of 9 bodies>"
    assert repr(world.id(3)) == "BodyId(3)"
    assert repr(Mask(3, 2)) == "<hitmask.Mask of 3 x 2 texels>" and str(Mask(3, 2)) == "...\n..."
    linear = Linear(30, (2, 1))
    assert eval(repr(linear), {"Linear": Linear}) == linear
    for thing in (world.body(ids[0]), Engine.cpu(), Engine.cpu().run(world)):
        assert repr(thing).startswith("<hitmask.")
