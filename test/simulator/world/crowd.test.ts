import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { compareTurns } from "../../../scripts/simulator/compare-turns.ts";
import type { Ledger, SimMonitor, SimRequest } from "../../../scripts/simulator/ledger.ts";
import { onCallFigures } from "../../../scripts/simulator/oracle/on-call/figures.ts";
import { findOnCallViolations } from "../../../scripts/simulator/oracle/on-call/judge-on-call.ts";
import { drawCrowd } from "../../../scripts/simulator/truth/crowd.ts";
import { simulate } from "../../../scripts/simulator/world/simulate.ts";

setDefaultTimeout(300_000);

let ledger: Ledger;

beforeAll(async () => {
  ledger = (await simulate(drawCrowd({ seed: 4, people: 24, days: 60 }))).ledger;
}, 300_000);

const rulesBroken = (one: Ledger) => new Set(findOnCallViolations(one).map(({ rule }) => rule));

/** The same run, as if operators had not asked for some things. */
function withoutRequests(...kinds: SimRequest["kind"][]): Ledger {
  return { ...ledger, requests: ledger.requests.filter(({ request }) => !kinds.includes(request.kind)) };
}

function withMonitors(change: (monitor: SimMonitor) => SimMonitor): Ledger {
  return { ...ledger, scenario: { ...ledger.scenario, monitors: ledger.scenario.monitors.map(change) } };
}

test("behavior 23.35: what the truth knows of people and schedules explains each notification", () => {
  expect(findOnCallViolations(ledger)).toEqual([]);
  const { lost, wrong, ...figures } = onCallFigures(ledger, []);
  expect({ lost, wrong }).toEqual({ lost: 0, wrong: 0 });
  for (const kind of ["toldTurns", "bothSides", "toldOverrideEdges", "acknowledgements", "changes"] as const)
    expect([kind, figures[kind] > 0]).toEqual([kind, true]);
});

test("a notification of the wrong person is found", () => {
  const changes = ["disable person", "delete person", "own channels", "change layers"] as const;
  expect([...rulesBroken(withoutRequests(...changes))]).toContain("only whoever is on call is notified");
  expect([...rulesBroken(withoutRequests("create override"))]).toContain(
    "only whoever is on call is notified",
  );
});

test("a notification that nobody got is found, and a reminder", () => {
  const silent = { ...ledger, attempts: [], deliveries: [] };
  expect([...rulesBroken(silent)]).toEqual(["trouble that lasts is notified to whoever is on call"]);
  const reminders = new Set(ledger.attempts.flatMap(({ id, reminder }) => (reminder ? [id] : [])));
  const first = { ...ledger, deliveries: ledger.deliveries.filter(({ id }) => !reminders.has(id)) };
  expect([...rulesBroken(first)]).toContain("trouble that lasts is repeated");
  expect([...rulesBroken(withoutRequests("acknowledge"))]).toContain("trouble that lasts is repeated");
});

test("a notification is found outside of the hours, before the delay, after an acknowledgement and beside its cause", () => {
  const later = withMonitors(({ schedules = {}, ...monitor }) => {
    const each = Object.entries(schedules).map(([name, one]) => [name, { ...one, after: one.after + 600 }]);
    return { ...monitor, schedules: Object.fromEntries(each) };
  });
  expect([...rulesBroken(later)]).toContain("whoever is on call is not notified before the delay");
  const hours = {
    ...{ timezone: "UTC", outside: "hold" as const },
    windows: [{ days: ["wed" as const], from: "12:00", to: "12:15" }],
  };
  const closed = withMonitors(({ schedules = {}, ...monitor }) => {
    const each = Object.entries(schedules).map(([name, one]) => [name, { ...one, hours }]);
    return { ...monitor, schedules: Object.fromEntries(each) };
  });
  expect([...rulesBroken(closed)]).toContain("nobody is notified outside the hours");
  expect([...rulesBroken(withoutRequests("take back"))]).toContain(
    "acknowledged trouble is not notified again",
  );
  const [cause = "", ...others] = ledger.scenario.monitors.map(({ name }) => name);
  const caused = withMonitors((monitor) =>
    others.includes(monitor.name) ? { ...monitor, dependsOn: [cause] } : monitor,
  );
  expect([...rulesBroken(caused)]).toContain("trouble with a cause is muted");
});

test("behavior 23.21: the product and the oracle see the same turns of a crowd for some months", () => {
  const { violations, turns } = compareTurns(2, { people: 24, days: 120 });
  expect(violations).toEqual([]);
  expect(turns?.turns).toBeGreaterThan(100);
});
