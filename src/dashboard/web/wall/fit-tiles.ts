/** Pixels: a smaller tile is not legible on a screen on the wall. */
const SMALLEST = { width: 110, height: 40 };
/** How much wider than high a tile is at best. */
const ASPECT = 2.4;

/** @property shown how many cells have a tile: fewer than wanted if the last one says how many others there are */
export interface Grid {
  columns: number;
  rows: number;
  shown: number;
}

/** The grid with the largest cells that has room for all, or the one with the smallest cells. @param space in pixels */
export function fitTiles(count: number, space: { width: number; height: number }): Grid {
  const most = {
    columns: Math.max(1, Math.floor(space.width / SMALLEST.width)),
    rows: Math.max(1, Math.floor(space.height / SMALLEST.height)),
  };
  let best: Grid | undefined;
  let largest = 0;
  for (let columns = 1; columns <= most.columns; columns++) {
    const rows = Math.max(1, Math.ceil(count / columns));
    const size = Math.min(space.width / columns / ASPECT, space.height / rows);
    if (rows <= most.rows && size > largest) {
      best = { columns, rows, shown: count };
      largest = size;
    }
  }
  return best ?? { ...most, shown: most.columns * most.rows - 1 };
}
