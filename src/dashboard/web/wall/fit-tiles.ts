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

/** Pixels of a cell for each pixel of the text in it. */
const PER_TEXT = { width: 14, height: 5 };
/** Pixels. */
const TEXT = { smallest: 12, largest: 56 };
/** Pixels: in a lower cell, there is only room for the name. */
const LOW = 62;
/** The most lines of a name. */
const MAX_LINES = 4;
/** The smallest text for long names, as a part of the largest one. */
const SHRINKS_TO = 0.6;
/* For each pixel of the text: the width of a letter, on average, and the height of lines of the name and of the smaller ones. */
const LETTER = 0.62;
const LINE = 1.25;
const SMALL_LINE = 0.9;

/** @property text pixels @property lines of a name @property letters that have room in them @property isLow whether there is only the name */
interface FittedText {
  text: number;
  lines: number;
  letters: number;
  isLow: boolean;
}

/** The largest text with which all names have room in cells of this size. @param space of a cell, in pixels */
export function fitText(
  names: readonly string[],
  space: { width: number; height: number },
  hasReasons: boolean,
): FittedText {
  const largest = Math.max(
    TEXT.smallest,
    Math.min(space.width / PER_TEXT.width, space.height / PER_TEXT.height, TEXT.largest),
  );
  const smallest = Math.max(TEXT.smallest, largest * SHRINKS_TO);
  const longest = names.reduce((most, name) => Math.max(most, [...name].length), 0);
  for (let text = largest; text > smallest; text *= 0.95) {
    const room = roomFor(text, space, hasReasons);
    if (longest <= room.letters) return room;
  }
  return roomFor(smallest, space, hasReasons);
}

function roomFor(
  text: number,
  { width, height }: { width: number; height: number },
  hasReasons: boolean,
): FittedText {
  const isLow = height < LOW;
  // Below the name, the status, and two lines of the reason.
  const rest = isLow ? 0 : SMALL_LINE * (hasReasons ? 3 : 1);
  const lines = Math.max(1, Math.min(MAX_LINES, Math.floor(((height - 4) / text - 0.4 - rest) / LINE)));
  const line = ((width - 4) / text - 2.5) / LETTER;
  // Lines end between words.
  const letters = Math.max(8, Math.floor(lines * line - (lines - 1) * Math.min(8, line / 2)));
  return { text, lines, letters, isLow };
}
