//! The cells of a layer of tiles. Only regions with tiles take memory, as an infinite map may reach far.

use std::collections::BTreeMap;

use super::tile::Tile;

/// The side of a region, in cells.
const SIDE: i32 = 16;

/// The cells of a layer, by column and row. A column or row may be negative.
#[derive(Clone, Debug, PartialEq)]
pub struct Cells {
    /// The size of a cell in pixels, `[width, height]`.
    pub size: [u32; 2],
    /// The regions by row and column of regions, each with its cells row by row.
    regions: BTreeMap<[i32; 2], Box<Region>>,
}

type Region = [Option<Tile>; (SIDE * SIDE) as usize];

impl Cells {
    /// Makes cells without tiles.
    #[must_use]
    pub fn new(size: [u32; 2]) -> Self {
        Self { size, regions: BTreeMap::new() }
    }

    /// Returns the tile in the cell `[column, row]`.
    #[must_use]
    pub fn get(&self, cell: [i32; 2]) -> Option<Tile> {
        let (region, place) = split(cell);
        self.regions.get(&region)?[place]
    }

    /// Sets the tile in a cell, and returns the one that was there. Bodies do not change: see
    /// [`Terrain::set_tile`](crate::Terrain::set_tile).
    pub fn set(&mut self, cell: [i32; 2], tile: Option<Tile>) -> Option<Tile> {
        let (region, place) = split(cell);
        if tile.is_none() && !self.regions.contains_key(&region) {
            return None;
        }
        let cells = self.regions.entry(region).or_insert_with(|| Box::new([None; (SIDE * SIDE) as usize]));
        let old = std::mem::replace(&mut cells[place], tile);
        if tile.is_none() && cells.iter().all(Option::is_none) {
            self.regions.remove(&region);
        }
        old
    }

    /// Returns the tiles with their cells, region by region.
    pub fn iter(&self) -> impl Iterator<Item = ([i32; 2], Tile)> {
        self.regions.iter().flat_map(|(&[row, column], region)| {
            region.iter().enumerate().filter_map(move |(place, tile)| {
                let [x, y] = [place as i32 % SIDE, place as i32 / SIDE];
                Some(([column * SIDE + x, row * SIDE + y], (*tile)?))
            })
        })
    }

    /// Returns the tiles in a range of cells, `[from, to]` inclusive, region by region.
    pub(crate) fn within(&self, [from, to]: [[i32; 2]; 2]) -> impl Iterator<Item = ([i32; 2], Tile)> {
        let [first, last] = [from, to].map(|[x, y]| [y.div_euclid(SIDE), x.div_euclid(SIDE)]);
        let regions = (first <= last).then(|| self.regions.range(first..=last)).into_iter().flatten();
        let columns = first[1]..=last[1];
        regions.filter(move |([_, column], _)| columns.contains(column)).flat_map(move |(&[row, column], region)| {
            region.iter().enumerate().filter_map(move |(place, tile)| {
                let cell = [column * SIDE + place as i32 % SIDE, row * SIDE + place as i32 / SIDE];
                let is_in = (0..2).all(|k| (from[k]..=to[k]).contains(&cell[k]));
                if is_in { Some((cell, (*tile)?)) } else { None }
            })
        })
    }

    /// Returns the smallest range of cells that has all tiles, `[column, row, columns, rows]`; `None` without tiles.
    /// Columns and rows are [`i32::MAX`] if there are more.
    #[must_use]
    pub fn bounds(&self) -> Option<[i32; 4]> {
        let ends = self.iter().map(|(cell, _)| [cell, cell]);
        let [[left, top], [right, bottom]] = ends.reduce(|[from, to], [cell, _]| {
            [[from[0].min(cell[0]), from[1].min(cell[1])], [to[0].max(cell[0]), to[1].max(cell[1])]]
        })?;
        let count = |from: i32, to: i32| (i64::from(to) - i64::from(from) + 1).min(i32::MAX.into()) as i32;
        Some([left, top, count(left, right), count(top, bottom)])
    }

    /// Returns the number of tiles.
    #[must_use]
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Returns whether there are no tiles.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }
}

/// Returns the region of a cell by row and column, and the place of the cell in it.
fn split([x, y]: [i32; 2]) -> ([i32; 2], usize) {
    let place = y.rem_euclid(SIDE) * SIDE + x.rem_euclid(SIDE);
    ([y.div_euclid(SIDE), x.div_euclid(SIDE)], place as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_read_as_set_on_all_sides_of_the_origin() {
        let mut cells = Cells::new([8, 8]);
        assert_eq!((cells.bounds(), cells.is_empty()), (None, true));
        let places = [[0, 0], [15, 15], [16, -1], [-1, -16], [-17, 300], [i32::MAX, i32::MIN]];
        for (id, cell) in places.into_iter().enumerate() {
            assert_eq!(cells.set(cell, Some(Tile::new(0, id as u32))), None);
        }
        for (id, cell) in places.into_iter().enumerate() {
            assert_eq!(cells.get(cell).map(|tile| tile.id), Some(id as u32));
        }
        assert_eq!(cells.set(places[5], None).map(|tile| tile.id), Some(5));
        let before = cells.clone();
        cells.set([500, 500], Some(Tile::new(0, 0)));
        cells.set([500, 500], None);
        assert_eq!(cells, before);
        assert_eq!((cells.len(), cells.bounds()), (5, Some([-17, -16, 34, 317])));
        for end in [i32::MIN, i32::MAX] {
            cells.set([end, 0], Some(Tile::new(0, 0)));
        }
        assert_eq!(cells.bounds(), Some([i32::MIN, -16, i32::MAX, 317]));
        let mut found: Vec<_> = cells.within([[-17, -16], [15, 15]]).map(|(cell, _)| cell).collect();
        found.sort_unstable();
        assert_eq!(found, [[-1, -16], [0, 0], [15, 15]]);
        assert_eq!(cells.within([[3, 3], [2, 9]]).count() + cells.within([[3, 99], [4, 9]]).count(), 0);
    }
}
