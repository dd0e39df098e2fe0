import { expect, test } from "bun:test";
import {
  checksDrawing,
  latencyWords,
  resultsAddress,
  shownChecks,
} from "../../../src/dashboard/web/outages/outage-checks.tsx";

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 26, 12, minutes)).toISOString();
const up = (minutes: number, latencyMs: number | null) =>
  ({ at: at(minutes), status: "up", latencyMs }) as const;
const down = (minutes: number, latencyMs: number | null) =>
  ({ at: at(minutes), status: "down", latencyMs }) as const;

const CHECKS = [up(-2, 40), up(-1, 60), down(0, 500), down(1, null), up(2, 80)];
const ENDED = { startedAt: at(0), endedAt: at(2) };

test("behavior 16.212: the latency is shown before, in and after an outage, of the checks that have one", () => {
  expect(latencyWords(CHECKS, ENDED)).toBe("50 ms before, 500 ms at its beginning, 80 ms after");
  expect(latencyWords([up(-1, 40), down(0, null)], { ...ENDED, endedAt: null })).toBe(
    "40 ms before, none at its beginning",
  );
  expect(latencyWords([], ENDED)).toBe("");
});

test("behavior 16.212: the chart has the time after an outage only if it is near", () => {
  expect(shownChecks(CHECKS, ENDED)).toEqual(CHECKS);
  const long = [...CHECKS.slice(0, 4), up(600, 80)];
  expect(shownChecks(long, { startedAt: at(0), endedAt: at(600) })).toEqual(CHECKS.slice(0, 4));
});

test("behavior 16.212: failing checks are dots, at 0 if nothing responded", () => {
  const { columns, describe } = checksDrawing(CHECKS, ENDED);
  const [times, good, failing] = columns;
  expect(times?.[0]).toBe(Date.parse(at(-2)) / 1000);
  expect([good, failing]).toEqual([
    [40, 60, null, null, 80],
    [null, null, 500, 0, null],
  ]);
  expect([describe([40, null]), describe([null, 500]), describe([null, 0]), describe([])]).toEqual([
    "40 ms",
    "failing, 500 ms",
    "failing, without an answer",
    "",
  ]);
});

test("behavior 16.212: the checks that wait for others to agree are drawn as what they saw", () => {
  const failing = (checks: Parameters<typeof checksDrawing>[0], endedAt: string | null) =>
    checksDrawing(checks, { startedAt: at(0), endedAt }).columns[2];
  // Confirmed by the third check, and over with the fifth, which two more confirm.
  const checks = [up(-1, 40), up(0, 500), up(1, null), down(2, 500), down(3, 50), down(4, 50), up(5, 50)];
  expect(failing(checks, at(3))).toEqual([null, 500, 0, 500, null, null, null]);
  // Another outage after it.
  expect(failing([...checks, down(6, 500)], at(3))?.at(-1)).toBe(500);
  // The results of the outage are deleted.
  expect(failing([up(-1, 40), up(0, 30)], null)).toEqual([null, null]);
});

test("behavior 16.212: the link leads to the results from the last good check until after the end", () => {
  const monitor = { id: "m" };
  const search = (address: string) => Object.fromEntries(new URL(address, "http://localhost").searchParams);
  const address = resultsAddress({ monitor, ...ENDED }, { at: "2026-11-26T11:59:30.080Z" });
  expect(address).toStartWith("/monitors/m?");
  expect(address).toEndWith("#results");
  expect(search(address)).toEqual({ from: at(-1), to: at(4) });
  expect(search(resultsAddress({ monitor, startedAt: at(0), endedAt: null }, null))).toEqual({ from: at(0) });
});
