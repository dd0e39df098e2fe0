import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Ledger, SimMonitor } from "../../../scripts/simulator/ledger.ts";
import { closedHours } from "../../../scripts/simulator/oracle/calm/hours.ts";
import { findViolations } from "../../../scripts/simulator/oracle/judge.ts";
import { drawCalm } from "../../../scripts/simulator/truth/calm/scenario.ts";
import { simulate } from "../../../scripts/simulator/world/simulate.ts";
import { type Hours, isOpen, WEEKDAYS } from "../../../src/domain/alerts/hours.ts";
import { ZONES } from "../../domain/heartbeats/local-jobs.ts";

setDefaultTimeout(300_000);

const MINUTE = 60_000;

let ledger: Ledger;

beforeAll(async () => {
  ledger = (await simulate(drawCalm({ seed: 1, hours: 1.5, nights: true }))).ledger;
}, 300_000);

/** The same run, as if the channels of all monitors had other hours. */
function withHours(change: (hours: Hours) => Hours): Ledger {
  const monitors = ledger.scenario.monitors.map((monitor): SimMonitor => {
    const patience = Object.entries(monitor.patience ?? {}).map(([channel, times]) => {
      return [channel, times.hours ? { ...times, hours: change(times.hours) } : times];
    });
    return { ...monitor, patience: Object.fromEntries(patience) };
  });
  return { ...ledger, scenario: { ...ledger.scenario, monitors } };
}

const rulesBroken = (one: Ledger) => new Set(findViolations(one).map(({ rule }) => rule));

/** Hours of the day after the run. */
const never: Hours["windows"] = [{ days: ["wed"], from: "12:00", to: "12:01" }];
const always: Hours["windows"] = [{ days: [...WEEKDAYS], from: "00:00", to: "24:00" }];

test("behavior 23.4: what the truth knows of hours explains each notification", () => {
  expect(findViolations(ledger)).toEqual([]);
  const statuses = new Set(ledger.deliveries.map(({ status }) => status));
  expect([...statuses]).toEqual(expect.arrayContaining(["delivered", "withdrawn"]));
});

test("a notification outside of the hours is found, and one that is missing in them", () => {
  const closed = rulesBroken(withHours((hours) => ({ ...hours, windows: never })));
  expect([...closed]).toContain("no trouble is notified outside the hours of a channel");
  const open = withHours((hours) => ({ ...hours, windows: always, outside: "hold" }));
  expect(rulesBroken(open).size).toBeGreaterThan(0);
});

test.each(ZONES)("in %s, the oracle and the product find the same hours", (timezone) => {
  const windows: Hours["windows"] = [
    { days: ["sat", "sun"], from: "01:30", to: "02:30" },
    { days: ["sun"], from: "02:45", to: "03:15" },
    { days: ["mon"], from: "22:00", to: "24:00" },
    { days: ["wed"], from: "23:00", to: "00:30" },
  ];
  const span = { from: Date.UTC(2026, 9, 20), to: Date.UTC(2026, 10, 4) };
  const { surely } = closedHours({ hours: { timezone, windows, outside: "hold" } }, span);
  for (let at = span.from; at < span.to; at += 15 * MINUTE)
    expect([at, surely.some(({ from, to }) => from <= at && at < to)]).toEqual([
      at,
      !isOpen(windows, timezone, at),
    ]);
});
