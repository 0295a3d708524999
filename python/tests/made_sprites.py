"""Sprites of arcade for tests, and what Pillow makes of their images."""

import arcade
import numpy as np
from PIL import Image

FULL = arcade.hitbox.algo_bounding_box

#: The methods that give a texture anew, each with that of Pillow; Pillow turns counterclockwise, arcade clockwise.
TRANSFORMS = {
    "flip_left_right": Image.Transpose.FLIP_LEFT_RIGHT,
    "flip_top_bottom": Image.Transpose.FLIP_TOP_BOTTOM,
    "flip_horizontally": Image.Transpose.FLIP_LEFT_RIGHT,
    "flip_vertically": Image.Transpose.FLIP_TOP_BOTTOM,
    "flip_diagonally": Image.Transpose.TRANSPOSE,
    "transpose": Image.Transpose.TRANSPOSE,
    "transverse": Image.Transpose.TRANSVERSE,
    "rotate_90": Image.Transpose.ROTATE_270,
    "rotate_180": Image.Transpose.ROTATE_180,
    "rotate_270": Image.Transpose.ROTATE_90,
}


def image_of(texels):
    alpha = Image.fromarray(np.where(texels, 255, 0).astype(np.uint8))
    image = Image.new("RGBA", alpha.size, (255, 255, 255, 255))
    image.putalpha(alpha)
    return image


def texels_of(image):
    return np.asarray(image.getchannel("A")) > 127


def sprite_of(texels, at=(0, 0), scale=1, angle=0):
    texture = arcade.Texture(image_of(np.asarray(texels, bool)), hit_box_algorithm=FULL)
    return arcade.Sprite(texture, scale, *at, angle)


def list_of(sprites, spatial=False):
    made = arcade.SpriteList(use_spatial_hash=spatial)
    made.extend(sprites)
    return made
