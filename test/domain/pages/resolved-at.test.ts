import { expect, test } from "bun:test";
import { type IncidentStatus, resolvedAtAfterEdit } from "../../../src/domain/pages/incident.ts";

test.each<[statuses: IncidentStatus[], before: number | null, after: number | null]>([
  [["monitoring"], 5, null],
  [["monitoring", "resolved"], 5, null],
  [["resolved"], null, 1],
  [["resolved", "monitoring"], null, 2],
  [["resolved", "resolved", "monitoring"], null, 2],
  [["resolved", "resolved"], null, 1],
  // An incident that was an outage may have ended before its update.
  [["resolved", "monitoring"], 0.5, 0.5],
  [[], 5, null],
])("behavior 17.41: with the updates %p, the newest first, %p becomes %p", (statuses, before, after) => {
  const updates = statuses.map((status, at) => ({ status, createdAt: statuses.length - at }));
  expect(resolvedAtAfterEdit(updates, before)).toBe(after);
});
