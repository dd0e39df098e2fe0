import { describe, expect, test } from "bun:test";
import { type Check, placed, SECOND, type Setting, START, walk } from "./walk.ts";

const ALL_UP: Check[] = ["0 here up", "1 fra up", "2 nyc up"];

/** When and where evidence was made, and whether it is of a turn. */
function made(setting: Setting, checks: Check[]): string[] {
  return walk(placed(setting), checks).evidence.map(
    ({ at, location, seen, isExempt }) =>
      `${(at - START) / SECOND} ${location} ${seen.status}${isExempt ? " turn" : ""}`,
  );
}

describe("behavior 22.1: with several locations, evidence", () => {
  test("is of the first location that sees trouble, and of the check that decides", () => {
    const checks: Check[] = [...ALL_UP, "60 here down", "61 fra down", "62 nyc down", "120 here down"];
    expect(made({}, checks)).toEqual(["60 0 down", "61 1 down turn"]);
  });

  test("is of a location that alone sees trouble, once as long as it does", () => {
    const checks: Check[] = [...ALL_UP, "61 fra down", "71 fra down", "81 fra up", "91 fra down"];
    expect(made({}, checks)).toEqual(["61 1 down", "91 1 down"]);
  });

  test("is not of a location whose network is at fault", () => {
    expect(made({ atFault: ["fra"] }, [...ALL_UP, "61 fra down"])).toEqual([]);
  });

  test("is of a check that turns a warning to down", () => {
    const checks: Check[] = [
      ...ALL_UP,
      "60 here degraded",
      "61 fra degraded",
      "120 here down",
      "121 fra down",
    ];
    expect(made({}, checks)).toEqual([
      "60 0 degraded",
      "61 1 degraded turn",
      "120 0 down",
      "121 1 down turn",
    ]);
  });
});
