import { expect, test } from "bun:test";
import type { Place } from "../../../../src/dashboard/web/data/api.ts";
import { findDissent } from "../../../../src/dashboard/web/monitors/current-status.tsx";
import type { Status } from "../../../../src/domain/monitors/status.ts";

function place(name: string, status: Status | null, changes: Partial<Place> = {}): Place {
  const at = "2026-11-21T10:00:00.000Z";
  const latest = status && { status, at, latencyMs: null };
  return { id: name, name, state: "connected", isAtFault: false, latest, ...changes };
}

const up = place("fra", "up");
const degraded = place("nyc", "degraded");
const down = place("here", "down");

test.each<[Status, Place[], ReturnType<typeof findDissent>]>([
  ["up", [up, up, up], null],
  ["down", [down, down], null],
  ["unknown", [up], null],
  ["degraded", [degraded, degraded], null],
  ["up", [up, degraded, down], { sees: "down", by: ["This server"], of: 3 }],
  ["up", [up, degraded], { sees: "trouble", by: ["nyc"], of: 2 }],
  ["degraded", [up, degraded], { sees: "trouble", by: ["nyc"], of: 2 }],
  ["degraded", [degraded, down], { sees: "down", by: ["This server"], of: 2 }],
  ["unknown", [up, down], { sees: "down", by: ["This server"], of: 2 }],
  ["up", [down], { sees: "down", by: ["This server"], of: 1 }],
  ["down", [up, down], { sees: "down", by: ["This server"], of: 2 }],
  ["down", [up, up], { sees: "down", by: [], of: 2 }],
  ["up", [up, place("a", "down", { state: "silent" }), place("b", "down", { isAtFault: true })], null],
  ["up", [up, place("c", null)], null],
  ["up", [], null],
])(
  "behavior 13.67: the status %s is compared with the locations that have a vote (case %#)",
  (status, places, expected) => {
    expect(findDissent({ status, enabled: true }, places)).toEqual(expected);
    expect(findDissent({ status, enabled: false }, places)).toBeNull();
  },
);
