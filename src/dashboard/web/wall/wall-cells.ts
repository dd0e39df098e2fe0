import { byName } from "../../../domain/monitors/display-state.ts";
import { isTroubled, STANDINGS } from "../../../domain/monitors/standing.ts";
import type { Wall } from "../data/api.ts";
import { language } from "../languages/locale.ts";
import { fill, listOf, plural, texts } from "../languages/texts.ts";
import { reasonLabel } from "../status/result-detail.ts";

export type Tile = Wall["monitors"][number];

/** A tile, or the heading of the tiles after it. */
export type Cell = { kind: "tile"; tile: Tile } | { kind: "heading"; text: string };

/** Monitors below their first tag, the tag with the worst monitor first. */
export function groupsOf(monitors: readonly Tile[]): { tag: string; tiles: Tile[] }[] {
  const worst = (tiles: readonly Tile[]) =>
    Math.min(...tiles.map(({ standing }) => STANDINGS.indexOf(standing)));
  return Array.from(
    Map.groupBy(monitors, ({ tags: [first = texts.wall.noTag] }) => first),
    ([tag, tiles]) => ({ tag, tiles }),
  ).sort((a, b) => worst(a.tiles) - worst(b.tiles) || byName({ name: a.tag }, { name: b.tag }));
}

/** The cells of all monitors, by tag with a heading for each. */
export function cellsOf(monitors: readonly Tile[], byTag: boolean): Cell[] {
  const toCell = (tile: Tile): Cell => ({ kind: "tile", tile });
  if (!byTag) return monitors.map(toCell);
  return groupsOf(monitors).flatMap(({ tag, tiles }): Cell[] => [
    { kind: "heading", text: tag },
    ...tiles.map(toCell),
  ]);
}

/** Pixels: the least room of a tile whose name can be read from afar. */
const LEGIBLE = { width: 180, height: 48 };

/** Pixels from dot to dot. */
const DOT = { smallest: 8, largest: 44 };
/** Pixels. */
const GAP = 12;

interface Size {
  width: number;
  height: number;
}

/**
 * How the monitors share the screen: those in trouble have large tiles, and the others are smaller tiles below them or, if these would
 * not be legible, dots by tag.
 *
 * @property share of the height that the monitors in trouble have @property dots null if the others have tiles
 */
export function layOut(monitors: readonly Tile[], space: Size) {
  const troubled = monitors.filter(({ standing }) => isTroubled(standing));
  const others = monitors.filter(({ standing }) => !isTroubled(standing));
  const share =
    troubled.length === 0 ? 0 : others.length === 0 ? 1 : Math.min(0.7, 0.35 + troubled.length / 10);
  const room = { width: space.width, height: space.height * (1 - share) };
  const fits = Math.floor(room.width / LEGIBLE.width) * Math.floor(room.height / LEGIBLE.height);
  return { troubled, others, share, dots: others.length > fits ? layOutDots(others, room) : null };
}

/** A heading and its dots. Without room for headings, there is one group without any. */
interface Dots {
  groups: { tag: string; tiles: Tile[] }[];
  columns: number;
  /** Pixels from dot to dot. */
  dot: number;
}

function layOutDots(others: readonly Tile[], room: Size): Dots {
  const groups = groupsOf(others);
  const sizes = groups.map(({ tiles }) => tiles.length);
  for (let dot = DOT.largest; dot >= DOT.smallest; dot--)
    for (let columns = 1; columns <= Math.min(groups.length, room.width / 120); columns++)
      if (heightOf(sizes, { columns, dot, width: room.width }) <= room.height)
        return { groups, columns, dot };
  const dot = Math.floor(Math.sqrt((room.width * room.height * 0.8) / others.length));
  return {
    groups: [{ tag: "", tiles: [...others] }],
    columns: 1,
    dot: Math.min(DOT.largest, Math.max(DOT.smallest, dot)),
  };
}

/** Pixels of the text of a heading above dots. */
export function headingSize(dot: number): number {
  return Math.min(20, Math.max(12, dot / 2));
}

/** Pixels that groups of these sizes need in a grid. */
function heightOf(
  sizes: readonly number[],
  { columns, dot, width }: { columns: number; dot: number; width: number },
) {
  const perRow = Math.max(1, Math.floor((width / columns - 2 * GAP) / dot));
  let height = GAP;
  for (let at = 0; at < sizes.length; at += columns) {
    const largest = Math.max(...sizes.slice(at, at + columns));
    height += Math.ceil(largest / perRow) * dot + 1.6 * headingSize(dot) + GAP;
  }
  return height;
}

/** The text of the last cell about the monitors that have no tile, such as `+12 healthy`; empty if all have one. */
export function describeOthers(counts: Wall["counts"], shown: readonly Tile[]): string {
  const others = { ...counts };
  for (const { standing } of shown) others[standing]--;
  const hidden = STANDINGS.filter((standing) => others[standing] > 0);
  return listOf(
    hidden.map((standing) => plural(texts.wall.more[standing], others[standing])),
    "unit",
  );
}

/**
 * The reason of a tile, whose words are English: readers of another language get its code in words (behavior 27.19).
 *
 * @param reader the language of the page
 */
export function describeReason(
  { reason, reasonCode, reasonDetail }: Tile,
  reader: string = language,
): string | null {
  const label = reasonLabel({ reason: reasonCode });
  if (reader === "en" || label === undefined) return reason;
  if (reasonDetail === null) return label;
  return fill(texts.status.finding.reasonWithMessage, { reason: label, message: reasonDetail });
}

/**
 * Names with at most so many characters, of which no two become the same unless they were: the middle is left out or, where that
 * is what differs, the beginning that they share.
 */
export function shortenNames(names: readonly string[], most: number): Map<string, string> {
  const short = new Map(names.map((name) => [name, withoutMiddle(name, most)]));
  for (const [text, same] of Map.groupBy(short.keys(), (name) => short.get(name)))
    if (same.length > 1 && text !== undefined) shortenPrefix(same, most, short);
  return short;
}

function withoutMiddle(name: string, most: number): string {
  const letters = [...name];
  if (letters.length <= most) return name;
  const tail = Math.ceil((most - 1) / 2);
  return `${letters.slice(0, most - 1 - tail).join("")}…${letters.slice(-tail).join("")}`;
}

/** Leaves out what these names begin with, and again where the rest is still too long to differ. */
function shortenPrefix(names: readonly string[], most: number, short: Map<string, string>): void {
  const shared = sharedPrefix(names);
  const texts = new Map(names.map((name) => [name, `…${cut([...name].slice(shared), most - 1)}`]));
  for (const [text, same] of Map.groupBy(names, (name) => texts.get(name) ?? name)) {
    const [only = ""] = same;
    if (same.length === 1) short.set(only, text);
    else shortenPrefix(same, most, short);
  }
}

function cut(letters: readonly string[], most: number): string {
  return letters.length <= most ? letters.join("") : `${letters.slice(0, most - 1).join("")}…`;
}

/** How many characters distinct names have in common at their start. */
function sharedPrefix(names: readonly string[]): number {
  const [first = "", ...others] = names;
  const letters = [...first];
  const differs = (at: number) => others.some((name) => [...name][at] !== letters[at]);
  const at = letters.findIndex((_, index) => differs(index));
  return at < 0 ? letters.length : at;
}
