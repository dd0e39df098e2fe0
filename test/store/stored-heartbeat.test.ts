import { expect, test } from "bun:test";
import type { HeartbeatState } from "../../src/domain/heartbeats/heartbeat.ts";
import { noRuns } from "../../src/domain/heartbeats/job-runs.ts";
import type { Gap } from "../../src/domain/heartbeats/learned-period.ts";
import {
  heartbeatOf,
  type StoredRhythm,
  storedHeartbeat,
} from "../../src/store/recording/stored-heartbeat.ts";

const gaps: Gap[] = [
  { length: 60_000, kind: "regular" },
  { length: 300_000, kind: "late" },
];
const starts = { lastCheckinAt: 900_000, gaps, pauses: [] };
const state: HeartbeatState = {
  ...{ lastCheckinAt: 1_000_000, gaps, pauses: [], run: null, deadline: 1_300_000 },
  ...{ excused: false, excusedUntil: null, runs: { ...noRuns, starts } },
};

test("a regular gap of a job is stored as its length", () => {
  const stored = storedHeartbeat(state, { interval: 300 });
  expect(stored.rhythm?.gaps).toEqual([60_000, { length: 300_000, kind: "late" }]);
  expect(stored.rhythm?.runs?.starts.gaps).toEqual([60_000, { length: 300_000, kind: "late" }]);
  expect(heartbeatOf(stored)).toEqual(state);
});

test("the gaps that an earlier version stored are read", () => {
  const { deadline, ...rest } = state;
  expect(heartbeatOf({ deadline, rhythm: rest as StoredRhythm })).toEqual(state);
});
