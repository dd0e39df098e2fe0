import { expect, test } from "bun:test";
import { cellsOf, describeOthers, type Tile } from "../../../src/dashboard/web/wall/wall-cells.ts";
import { countStandings } from "../../../src/domain/monitors/standing.ts";

const tile = (name: string, state: Tile["state"], ...tags: string[]): Tile => ({
  name,
  tags,
  state,
  status: state === "down" ? "down" : "up",
  since: null,
  standing: state,
});

const monitors = [tile("a", "down", "web"), tile("b", "healthy", "db", "web"), tile("c", "healthy")];
const names = (byTag: boolean) =>
  cellsOf(monitors, byTag).map((cell) => (cell.kind === "tile" ? cell.tile.name : `# ${cell.text}`));

test("behavior 16.360: the monitors are in the order of the server, or below their first tag, the worst tag first", () => {
  expect(names(false)).toEqual(["a", "b", "c"]);
  expect(names(true)).toEqual(["# web", "a", "# db", "b", "# No tag", "c"]);
});

test("behavior 16.366: monitors without a tile are counted by state", () => {
  const counts = { ...countStandings([]), down: 1, healthy: 1002, paused: 3 };
  expect(describeOthers(counts, cellsOf(monitors, true))).toBe("+1,000 healthy, +3 paused");
  const all = { ...countStandings([]), down: 1, healthy: 2 };
  expect(describeOthers(all, cellsOf(monitors, false))).toBe("");
});
