// Pixel-perfect hits between the sprites of a game library: each has a body that lies where the sprite is drawn.

const shown = (sprite, parent) => {
  for (let at = sprite; at; at = at[parent]) if (!at.visible) return false;
  return true;
};

/** Returns where Pixi 8 draws a sprite. */
export function pixi(sprite) {
  const { source, frame, orig, trim, rotate } = sprite.texture;
  if (!source.resource) throw new Error('the texture has no image to make a mask of');
  if (rotate) throw new Error('the texture is packed turned: pack its sheet without rotation');
  const { a, b, c, d, tx, ty } = sprite.getGlobalTransform();
  const texels = source.resolution;
  const anchor = (k, size, left) => (sprite.anchor[k] * size - left) * texels;
  return {
    image: source.resource,
    region: [frame.x, frame.y, frame.width, frame.height].map((side) => Math.round(side * texels)),
    anchor: [anchor('x', orig.width, trim?.x ?? 0), anchor('y', orig.height, trim?.y ?? 0)],
    matrix: [a, c, b, d].map((entry) => entry / texels),
    x: tx,
    y: ty,
    enabled: shown(sprite, 'parent'),
  };
}

/** Returns where Phaser 4 draws a sprite or an image, without the scroll of a camera. */
export function phaser(sprite) {
  const { frame, flipX, flipY } = sprite;
  if (frame.rotated) throw new Error('the texture is packed turned: pack its sheet without rotation');
  const { a, b, c, d, tx, ty } = sprite.getWorldTransformMatrix();
  const [h, v] = [flipX ? -1 : 1, flipY ? -1 : 1];
  // A flip keeps the sprite's box in place; with a pivot of the frame's own it goes around the pivot.
  const anchor = (flip, origin, size, left) => (flip && !frame.customPivot ? size - origin : origin) - left;
  return {
    image: frame.source.image,
    region: [frame.cutX, frame.cutY, frame.cutWidth, frame.cutHeight],
    anchor: [
      anchor(flipX, sprite.displayOriginX, frame.realWidth, frame.x),
      anchor(flipY, sprite.displayOriginY, frame.realHeight, frame.y),
    ],
    matrix: [h * a, v * c, h * b, v * d],
    x: tx,
    y: ty,
    enabled: shown(sprite, 'parentContainer'),
  };
}

export class SpriteHits {
  #hitmask;
  #drawn;
  #threshold;
  // A map for each image: the shape and the number of its sprites, by region and anchor.
  #shapes = new Map();
  #bodies = new Map();
  #sprites = [];

  /**
   * `drawn` returns where a sprite is drawn: `pixi`, `phaser` or a function of your own. A pixel is solid if its alpha is at
   * least `threshold`.
   */
  constructor(hitmask, drawn, { threshold = 128 } = {}) {
    this.#hitmask = hitmask;
    this.#drawn = drawn;
    this.#threshold = threshold;
    /** The world of the bodies: for queries, events and saving. */
    this.world = new hitmask.World();
  }

  /** Adds a sprite, with options of its body such as `layers`, and returns the body's handle. */
  add(sprite, options = {}) {
    if (this.#bodies.has(sprite)) throw new Error('the sprite was added before');
    const { looks, pose } = this.#look(sprite);
    let id;
    try {
      id = this.world.add({ ...options, ...pose });
    } finally {
      if (id === undefined) this.#release(looks);
    }
    looks.users++;
    this.#bodies.set(sprite, { id, looks, pose });
    this.#sprites[this.world.index(id)] = sprite;
    return id;
  }

  /** Removes a sprite. Its shape goes with the last sprite that has it. */
  remove(sprite) {
    const { id, looks } = this.#entry(sprite);
    this.#sprites[this.world.index(id)] = undefined;
    this.world.remove(id);
    this.#bodies.delete(sprite);
    looks.users--;
    this.#release(looks);
  }

  /** Returns the handle of a sprite's body. */
  body(sprite) {
    return this.#entry(sprite).id;
  }

  /** Returns the sprite of a body. */
  sprite(id) {
    return this.#sprites[this.world.index(id)];
  }

  /**
   * Moves all bodies to where their sprites are drawn. One that is not visible hits nothing. An error has the sprite that
   * it is about as its `sprite`, and no body has moved then.
   */
  update() {
    const moved = [];
    for (const [sprite, body] of this.#bodies) {
      try {
        const look = this.#look(sprite, body.looks);
        moved.push({ body, look });
        this.world.set(body.id, look.pose);
      } catch (error) {
        // All bodies leave a shape before it is removed, here and below.
        for (const { body } of moved) this.world.set(body.id, body.pose);
        for (const { look } of moved) this.#release(look.looks);
        if (Object.isExtensible(error)) throw Object.assign(error, { sprite });
        throw Object.assign(new Error(String(error), { cause: error }), { sprite });
      }
    }
    for (const { look } of moved) look.looks.users++;
    for (const { body, look } of moved) {
      const { looks } = body;
      Object.assign(body, look);
      looks.users--;
      this.#release(looks);
    }
  }

  /** Updates, runs a step, and returns the pairs of sprites that share a pixel. Await it before the next. */
  async run() {
    this.update();
    const sprites = this.#sprites.slice();
    await this.#hitmask.run(this.world);
    return this.#pairs(sprites);
  }

  /** As `run`, at once, on the CPU. */
  runNow() {
    this.update();
    this.#hitmask.runNow(this.world);
    return this.#pairs(this.#sprites);
  }

  /** Returns the sprites that have a solid pixel at a point, as of the last update. */
  at(x, y) {
    return this.world.atPoint(x, y).map((id) => this.sprite(id));
  }

  /** Frees the world. */
  free() {
    this.world.free();
  }

  #entry(sprite) {
    const entry = this.#bodies.get(sprite);
    if (entry === undefined) throw new Error('the sprite was not added, or was removed');
    return entry;
  }

  #pairs(sprites) {
    const { pairs } = this.world;
    return Array.from({ length: pairs.length / 2 }, (_, k) => [sprites[pairs[2 * k]], sprites[pairs[2 * k + 1]]]);
  }

  /** The shape of a sprite, which all of the same image, region and anchor share, and the options of its body. */
  #look(sprite, last) {
    const { image, region, anchor, ...place } = this.#drawn(sprite);
    const same = (a, b) => a.every((value, k) => value === b[k]);
    if (image === last?.image && same(region, last.region) && same(anchor, last.anchor)) {
      return { looks: last, pose: { shape: last.shape, ...place } };
    }
    const ofImage = this.#shapes.get(image) ?? new Map();
    const key = [...region, ...anchor].join();
    let looks = ofImage.get(key);
    if (looks === undefined) {
      const mask = this.#hitmask.mask(image, { region, threshold: this.#threshold });
      const shape = this.world.addShape(this.#hitmask.Shape.sprite(mask, ...anchor));
      looks = { shape, users: 0, image, region: [...region], anchor: [...anchor], key };
      ofImage.set(key, looks);
      this.#shapes.set(image, ofImage);
    }
    return { looks, pose: { shape: looks.shape, ...place } };
  }

  /** Removes a shape without sprites. */
  #release({ shape, users, image, key }) {
    const ofImage = this.#shapes.get(image);
    if (users > 0 || !ofImage?.has(key)) return;
    this.world.removeShape(shape);
    ofImage.delete(key);
    if (ofImage.size === 0) this.#shapes.delete(image);
  }
}
