import { expect, test } from "bun:test";
import { countedTitle } from "../../../src/dashboard/web/app/counted-title.ts";

test("behavior 16.372: a title has the number of monitors that are down before it, once", () => {
  expect(countedTitle("Outages · stillup", 2)).toBe("(2) Outages · stillup");
  expect(countedTitle("(2) Outages · stillup", 13)).toBe("(13) Outages · stillup");
  expect(countedTitle("(13) Outages · stillup", 1000)).toBe("(999+) Outages · stillup");
  expect(countedTitle("(999+) Outages · stillup", 0)).toBe("Outages · stillup");
});
