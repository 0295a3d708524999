"""Random masks, positions and linear parts for hypothesis."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

#: A coordinate on the lattice of 1/256 unit, near the origin so that bodies meet.
coordinates = st.integers(-6 * 256, 6 * 256).map(lambda steps: steps / 256)
points = st.tuples(coordinates, coordinates)


@st.composite
def texels(draw, most=12):
    """Draws the texels of a mask, often solid."""
    shape = draw(st.tuples(st.integers(1, most), st.integers(1, most)))
    array = draw(hnp.arrays(np.bool_, shape, elements=st.booleans()))
    return array if draw(st.booleans()) else np.ones_like(array)


#: Degrees, scales in x and y, flips in x and y: the arguments of `Linear`.
turns = st.tuples(
    st.one_of(st.sampled_from([0, 90, 180, -90]), st.floats(-360, 360)),
    st.tuples(st.floats(0.3, 2.5), st.floats(0.3, 2.5)),
    st.booleans(),
    st.booleans(),
)
