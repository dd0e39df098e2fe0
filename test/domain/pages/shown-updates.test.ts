import { expect, test } from "bun:test";
import { shownUpdates } from "../../../src/domain/pages/incident.ts";

const update = (id: number, incidentPk: number, length: number) => ({
  id,
  incidentPk,
  body: "x".repeat(length),
});

test("behavior 15.102: beyond 200,000 characters a page contains only the last update of each incident", () => {
  const updates = [
    update(6, 1, 120_000),
    update(5, 1, 80_000),
    update(4, 1, 1),
    update(3, 2, 10),
    update(2, 2, 10),
  ];
  expect(shownUpdates(updates).map(({ id }) => id)).toEqual([6, 5, 3]);
});

test("behavior 15.102: a page contains all updates up to this length", () => {
  const updates = [update(3, 1, 10), update(2, 2, 10), update(1, 1, 10)];
  expect(shownUpdates(updates)).toEqual(updates);
});
