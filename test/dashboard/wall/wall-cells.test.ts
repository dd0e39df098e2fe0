import { expect, test } from "bun:test";
import {
  cellsOf,
  describeOthers,
  describeReason,
  layOut,
  shortenNames,
  type Tile,
} from "../../../src/dashboard/web/wall/wall-cells.ts";
import { countStandings } from "../../../src/domain/monitors/standing.ts";

const tile = (name: string, state: Tile["state"], ...tags: string[]): Tile => ({
  name,
  tags,
  state,
  status: state === "down" ? "down" : "up",
  since: null,
  standing: state,
  reason: null,
  reasonCode: null,
  reasonDetail: null,
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
  expect(describeOthers(counts, monitors)).toBe("+1,000 healthy, +3 paused");
  const all = { ...countStandings([]), down: 1, healthy: 2 };
  expect(describeOthers(all, monitors)).toBe("");
});

test.each([
  ["en", "Not as expected (503)", "unexpected", "503", "Not as expected (503)"],
  ["de", "Not as expected (503)", "unexpected", "503", "Not as expected: 503"],
  ["de", "Connection refused", "refused", null, "Connection refused"],
  ["de", "Exit code 3", null, null, "Exit code 3"],
  ["de", null, null, null, null],
] as const)(
  "behavior 27.19: for a reader of %s, the wall shows the reason %j with the code %j and the detail %j as %j",
  (reader, reason, reasonCode, reasonDetail, shown) => {
    const troubled: Tile = { ...tile("a", "down"), reason, reasonCode, reasonDetail };
    expect(describeReason(troubled, reader)).toBe(shown);
  },
);

const TV = { width: 1920, height: 1000 };
const fleet = (count: number) => Array.from({ length: count }, (_, at) => tile(`m ${at}`, "healthy", "web"));

test("behavior 16.366: what is in trouble has most of the screen, and the others are dots if their names would not be legible", () => {
  const acknowledged: Tile = { ...tile("b", "down"), standing: "acknowledged" };
  const maintained: Tile = { ...tile("c", "down"), standing: "maintenance" };
  const { troubled, others, share, dots } = layOut(
    [tile("a", "down"), acknowledged, maintained, ...fleet(300)],
    TV,
  );
  expect(troubled.map(({ name }) => name)).toEqual(["a", "b"]);
  expect(others).toHaveLength(301);
  expect(share).toBeGreaterThan(0.5);
  expect(dots).toMatchObject({ groups: [{ tag: "No tag" }, { tag: "web" }], columns: 1 });
  expect(dots?.dot).toBeGreaterThan(16);
  expect(layOut(fleet(12), TV)).toMatchObject({ troubled: [], share: 0, dots: null });
  expect(layOut([tile("a", "down")], TV)).toMatchObject({ others: [], share: 1, dots: null });
});

test.each([
  [1000, 8, { width: 390, height: 700 }],
  [300, 8, TV],
  [1000, 60, TV],
])("behavior 16.366: the marks of %d monitors with %d tags have room on %j", (count, tags, space) => {
  const monitors = fleet(count).map((one, at) => ({ ...one, tags: [`t${at % tags}`] }));
  const { dots, share } = layOut([tile("a", "down"), ...monitors], space);
  const { groups = [], columns = 1, dot = 0 } = dots ?? {};
  const perRow = Math.floor(space.width / columns / dot);
  const rows = Math.ceil(groups.length / columns) * Math.ceil((groups[0]?.tiles.length ?? 0) / perRow);
  expect(groups.flatMap(({ tiles }) => tiles)).toHaveLength(count);
  expect(rows * dot).toBeLessThanOrEqual(space.height * (1 - share));
});

test.each<[string[], number, string[]]>([
  [["web", "mail"], 10, ["web", "mail"]],
  [["accounts API of the shop"], 11, ["accou… shop"]],
  [["accounts API north 1", "accounts API north 2"], 11, ["accou…rth 1", "accou…rth 2"]],
  [["accounts north database server", "accounts south database server"], 11, ["…north dat…", "…south dat…"]],
  [["a-very-long-name-1-of-the-shops", "a-very-long-name-2-of-the-shops"], 9, ["…1-of-th…", "…2-of-th…"]],
])("behavior 16.366: names %j have at most %d characters, and stay distinct", (names, most, expected) => {
  const short = shortenNames(names, most);
  expect(names.map((name) => short.get(name) ?? "")).toEqual(expected);
});
