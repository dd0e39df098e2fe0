import { byName } from "../../../domain/monitors/display-state.ts";
import { STANDINGS } from "../../../domain/monitors/standing.ts";
import type { Wall } from "../data/api.ts";
import { standingLabels } from "../status/status-mark.tsx";
import { formatNumber } from "../ui/numbers.ts";

export type Tile = Wall["monitors"][number];

/** A tile, or the heading of the tiles after it. */
export type Cell = { kind: "tile"; tile: Tile } | { kind: "heading"; text: string };

const UNTAGGED = "No tag";

/** The cells of all monitors. By tag, each monitor is below its first tag, and the tag with the worst monitor is first. */
export function cellsOf(monitors: readonly Tile[], byTag: boolean): Cell[] {
  const toCell = (tile: Tile): Cell => ({ kind: "tile", tile });
  if (!byTag) return monitors.map(toCell);
  const groups = Map.groupBy(monitors, ({ tags: [first = UNTAGGED] }) => first);
  const worst = (tiles: readonly Tile[]) =>
    Math.min(...tiles.map(({ standing }) => STANDINGS.indexOf(standing)));
  return [...groups]
    .sort(([a, ofA], [b, ofB]) => worst(ofA) - worst(ofB) || byName({ name: a }, { name: b }))
    .flatMap(([text, tiles]): Cell[] => [{ kind: "heading", text }, ...tiles.map(toCell)]);
}

/** The text of the last cell about the monitors that have no tile, such as `+12 healthy`; empty if all have one. */
export function describeOthers(counts: Wall["counts"], shown: readonly Cell[]): string {
  const others = { ...counts };
  for (const cell of shown) if (cell.kind === "tile") others[cell.tile.standing]--;
  return STANDINGS.filter((standing) => others[standing] > 0)
    .map((standing) => `+${formatNumber(others[standing])} ${standingLabels[standing].toLowerCase()}`)
    .join(", ");
}
