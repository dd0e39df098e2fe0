import { expect, test } from "bun:test";
import type { Ledger, SimMonitor } from "../../../scripts/simulator/ledger.ts";
import { judgeConfirmations } from "../../../scripts/simulator/oracle/confirmation.ts";
import { findViolations } from "../../../scripts/simulator/oracle/judge.ts";
import type { Status } from "../../../src/domain/monitors/status.ts";
import { after, notify, recount, type Truth, truthfulLedger } from "./truthful-ledger.ts";

const [SECOND, MINUTE] = [1000, 60_000];

/** The rules that a ledger breaks, each once. @param lie changes what the server says */
function broken(truth: Truth, lie: (ledger: Ledger) => void = () => {}): string[] {
  const ledger = truthfulLedger(truth);
  lie(ledger);
  return [...new Set(findViolations(ledger).map(({ rule }) => rule))];
}

const CONFIRMED: Truth = { down: [3, 5], confirmations: 2, recoveries: 1 };

/** Changes results from an hour on; deliveries, outages and uptime follow from them. */
function change(
  [monitor, hour, count]: [name: string, hour: number, count: number],
  edit: (result: Ledger["results"][number]) => void,
) {
  return (ledger: Ledger) => {
    const own = ledger.results.filter((one) => one.monitor === monitor && one.createdAtWall >= after(hour));
    for (const result of own.slice(0, count)) edit(result);
    notify(monitor, ledger);
    recount(ledger);
  };
}

/** Gives a result the status that its check saw. */
function trust(result: Ledger["results"][number]): void {
  const seen = result.detail?.seen as { status: Status } | undefined;
  if (seen) Object.assign(result, { status: seen.status, detail: null });
}

const STATUS_RULE = "only confirmed changes change the status";

/** The places of the results, a minute apart, whose statuses don't follow from what was seen. */
function wrongPlaces(
  seen: readonly string[],
  statuses: readonly string[],
  numbers: { confirmations?: number; recoveries?: number },
): number[] {
  const monitor = { name: "web", ...numbers } as SimMonitor;
  const results = seen.map((saw, place) => ({
    monitor: "web",
    status: statuses[place] as Status,
    latencyMs: null,
    detail: saw === statuses[place] ? null : { seen: { status: saw } },
    createdAtWall: after(0) + place * MINUTE,
  }));
  const { violations } = judgeConfirmations(monitor, results, { isPruned: false });
  return violations.map(({ at }) => (at - after(0)) / MINUTE);
}

test("A truthful ledger with confirmations breaks no rule", () => {
  const truthful: Truth[] = [
    CONFIRMED,
    { down: [3, 3.01], confirmations: 3 },
    { deadHours: [7, 8, 9, 10], confirmations: 2, recoveries: 2 },
    { down: [3, 5], recoveries: 2 },
  ];
  for (const truth of truthful) expect(broken(truth)).toEqual([]);
});

// Behavior 11.1 to 11.6. What is seen, the numbers, and the statuses that follow.
const rows = [
  ["up degraded down up", {}, "up degraded down up"],
  ["down up up", { confirmations: 3 }, "down up up"],
  ["up down down down", { confirmations: 2 }, "up up up down"],
  ["up down degraded down down down", { confirmations: 2 }, "up up up degraded degraded down"],
  ["up down down up down down down", { confirmations: 2 }, "up up up up up up down"],
  ["down up degraded", { recoveries: 1 }, "down down degraded"],
  ["down degraded up up", { recoveries: 1 }, "down down degraded up"],
  [
    "degraded up down up down down",
    { confirmations: 1, recoveries: 1 },
    "degraded degraded degraded degraded degraded down",
  ],
  [
    "active expired no_cert active active",
    { confirmations: 2, recoveries: 1 },
    "active expired no_cert no_cert active",
  ],
  ["active no_cert expiring_soon no_cert", { confirmations: 3 }, "active active expiring_soon no_cert"],
  [
    "active expired active active expired active active active",
    {},
    "active expired expired expired expired expired expired active",
  ],
  [
    "active expired active active active active",
    { recoveries: 3 },
    "active expired expired expired expired active",
  ],
  ["ok failed havent_heard failed ok", { confirmations: 2 }, "ok ok ok havent_heard ok"],
] as const;

test.each(rows)("what is seen as %s with %j has the status %s", (seen, numbers, statuses) => {
  const [saw, followed] = [seen.split(" "), statuses.split(" ")];
  expect(wrongPlaces(saw, followed, numbers)).toEqual([]);
  for (const [place, status] of followed.entries()) {
    const other = [...saw, ...followed].find((one) => one !== status) ?? "";
    expect(wrongPlaces(saw, followed.with(place, other), numbers)).toContain(place);
  }
});

test("A change that is recorded too early, too late or never breaks a rule", () => {
  expect(broken(CONFIRMED, change(["web", 3, 2], trust))).toContain(STATUS_RULE);
  expect(broken(CONFIRMED, change(["web", 5, 1], trust))).toContain(STATUS_RULE);
  const late = change(["web", 3, 4], (result) =>
    Object.assign(result, { status: "up", detail: { seen: { status: "down", reason: "refused" } } }),
  );
  expect(broken(CONFIRMED, late)).toContain(STATUS_RULE);
  const never = change(["web", 3, 40], (result) =>
    Object.assign(result, { status: "up", detail: { seen: { status: "down", reason: "refused" } } }),
  );
  expect(broken(CONFIRMED, never)).toEqual(expect.arrayContaining([STATUS_RULE, "no outage is missed"]));
});

test("A blip that notifies breaks a rule", () => {
  const blip: Truth = { down: [3, 3.01], confirmations: 2 };
  expect(broken(blip, change(["web", 3, 1], trust))).toContain("a blip changes nothing");
});

test("A missed run that is recorded before it is confirmed breaks a rule, and so does one that is confirmed and not recorded", () => {
  const dead: Truth = { deadHours: [7, 8, 9, 10], confirmations: 2, recoveries: 1 };
  expect(broken(dead, change(["job", 7, 2], trust))).toContain(STATUS_RULE);
  const hides = change(["job", 7, 4], (result) =>
    Object.assign(result, { status: "ok", detail: { seen: { status: "havent_heard" } } }),
  );
  expect(broken(dead, hides)).toContain(STATUS_RULE);
});

test("A suspicion that is checked again too late, too early or never breaks a rule", () => {
  const again = "a suspicion is checked again in time";
  const move = (byMs: number) => (ledger: Ledger) => {
    const at = ledger.checks.findIndex(({ startedAt }) => startedAt > after(3));
    const [check, result] = [
      ledger.checks[at + 1],
      ledger.results.filter((one) => one.monitor === "web" && one.createdAtWall > after(3))[1],
    ];
    if (!check || !result) return;
    Object.assign(check, { startedAt: check.startedAt + byMs, endedAt: check.endedAt + byMs });
    result.createdAtWall += byMs;
    notify("web", ledger);
    recount(ledger);
  };
  expect(broken(CONFIRMED, move(SECOND))).toEqual([]);
  expect(broken(CONFIRMED, move(5 * SECOND))).toContain(again);
  expect(broken(CONFIRMED, move(-5 * SECOND))).toContain("checks keep their phase");
  const forget = (ledger: Ledger) => {
    const isFurther = (at: number) => at > after(3) + 10 * SECOND && at < after(3) + 4 * MINUTE;
    ledger.checks = ledger.checks.filter(({ startedAt }) => !isFurther(startedAt));
    ledger.results = ledger.results.filter((one) => one.monitor !== "web" || !isFurther(one.createdAtWall));
  };
  expect(broken(CONFIRMED, forget)).toContain(again);
});

test("A regular check during a suspicion, and one that keeps no phase after it, break a rule", () => {
  const insert = (afterMs: number) => (ledger: Ledger) => {
    const at = ledger.checks.findLastIndex(({ startedAt }) => startedAt < after(3) + afterMs);
    const check = ledger.checks[at];
    if (!check) return;
    const startedAt = after(3) + afterMs;
    ledger.checks.splice(at + 1, 0, { ...check, startedAt, endedAt: startedAt + 2 });
  };
  expect(broken(CONFIRMED, insert(10 * SECOND))).toContain("checks keep their phase");
  expect(broken(CONFIRMED, insert(2 * MINUTE))).toContain("checks keep their phase");
});

test("A reason of the result itself, or a `seen` that is the status, breaks a rule", () => {
  const rule = "only what differs from the status is in `seen`";
  const reason = change(["web", 3, 1], (result) =>
    Object.assign(result, { detail: { ...result.detail, reason: "refused" } }),
  );
  expect(broken(CONFIRMED, reason)).toEqual([rule]);
  const equal = change(["web", 2, 1], (result) =>
    Object.assign(result, { detail: { seen: { status: "up" } } }),
  );
  expect(broken(CONFIRMED, equal)).toEqual([rule]);
});

test("A notification that began with its confirmation, and such an outage, break rules", () => {
  const notification = ({ attempts: [first] }: Ledger) => {
    if (first) first.sinceWall += 40 * SECOND;
  };
  expect(broken(CONFIRMED, notification)).toEqual(["a notification says when the status began"]);
  const outage = ({ outages: [first] }: Ledger) => {
    if (first) first.startedAtWall += 40 * SECOND;
  };
  const rule = "outages begin and end with the first check that saw it";
  expect(broken(CONFIRMED, outage)).toEqual([rule]);
  expect(broken(CONFIRMED, ({ outages }) => void outages.pop())).toEqual([rule]);
  const ends = ({ outages: [first] }: Ledger) => {
    if (first) first.endedAtWall = (first.endedAtWall ?? 0) + 20 * SECOND;
  };
  expect(broken(CONFIRMED, ends)).toEqual([rule]);
});
