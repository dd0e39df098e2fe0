import { expect, test } from "bun:test";
import { describeBacklog } from "../../../src/dashboard/web/locations/location-list.tsx";

test.each([
  ["connected", 0, 0, ""],
  ["connected", 500, 0, ""],
  ["connected", 1501, 0, "1,501 results wait to be sent"],
  ["silent", 1, 0, "1 result waits to be sent"],
  ["silent", 2, 1, "2 results wait to be sent · 1 result became too old to be sent"],
  ["connected", 3, 1200, "1,200 results became too old to be sent"],
] as const)(
  "behavior 13.65: the backlog of a %s location with %d waiting and %d dropped results",
  (...values) => {
    const [state, waiting, dropped, text] = values;
    expect(describeBacklog({ state, waiting, dropped })).toBe(text);
  },
);
