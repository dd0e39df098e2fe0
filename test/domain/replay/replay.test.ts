import { describe, expect, test } from "bun:test";
import { nextCheckAt } from "../../../src/domain/checks/check-slot.ts";
import type { Status } from "../../../src/domain/monitors/status.ts";
import type { ReplayChanges } from "../../../src/domain/replay/changes.ts";
import type { MonitorPast, ReplayedPast } from "../../../src/domain/replay/history.ts";
import type { ReplayOutcome } from "../../../src/domain/replay/outcome.ts";
import { replayFromScratch, replaySteps } from "../../../src/domain/replay/replay.ts";
import { AT_ONCE, CHANNEL, monitorOf, pastOf, type Recorded, START, slot } from "./past.ts";

function replay(past: ReplayedPast, changes: ReplayChanges): ReplayOutcome {
  const steps = replaySteps(past, changes);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

const slots = (from: number, to: number, status: Status): Recorded[] =>
  Array.from({ length: to - from }, (_, at) => ({
    ...{ at: slot(from + at), status },
    ...(status === "up" && { latencyMs: 50 }),
  }));

/** A monitor whose recorded outages and notifications are what a replay makes of its results. */
function recorded(monitor: MonitorPast, others: Partial<ReplayedPast> = {}): ReplayedPast {
  const course = replayFromScratch(pastOf([monitor], others)).get(monitor.id);
  const outages = course?.outages.map((one, at) => ({ ...one, id: `${at}`, acknowledged: [] })) ?? [];
  const notifications = outages.flatMap(({ id, messages }) =>
    messages.map(({ channelId, at, status, isReminder }) => ({
      ...{ channelId, outageId: id, status, createdAt: at, sentAt: at, isReminder },
    })),
  );
  return pastOf([{ ...monitor, outages, notifications }], others);
}

const EXACT = { exact: true, gone: [], missed: [] };

/** Down in one slot, and later in ten. */
const SHOP = [
  ...slots(0, 5, "up"),
  ...slots(5, 6, "down"),
  ...slots(6, 20, "up"),
  ...slots(20, 30, "down"),
  ...slots(30, 60, "up"),
];
const shop = recorded(monitorOf("HTTP", SHOP));
const single = (value: number) => ({ min: value, max: value });

describe("behavior 25.4: without changes", () => {
  test("the outages and notifications are as recorded, and exact", () => {
    const counts = { outages: 2, notifications: 4, downSeconds: 660 };
    expect(replay(shop, {})).toMatchObject({ ...EXACT, monitorCount: 1, present: counts, changed: counts });
  });

  test("also an outage that the rules would not explain", () => {
    const [monitor] = shop.monitors.values() as Iterable<MonitorPast> as [MonitorPast];
    const odd = {
      id: "odd",
      startedAt: slot(50),
      endedAt: slot(55),
      status: "down" as const,
      acknowledged: [],
    };
    const outcome = replay(pastOf([{ ...monitor, outages: [...monitor.outages, odd] }]), {});
    expect(outcome).toMatchObject({
      exact: true,
      present: { outages: 3 },
      changed: { outages: 3, downSeconds: 960 },
    });
  });
});

describe("behavior 25.3: more confirmations", () => {
  test("leave the outcome of a blip open, whose re-check was never made", () => {
    expect(replay(shop, { confirmations: 1 })).toMatchObject({
      exact: false,
      present: { outages: single(2), notifications: single(4), downSeconds: single(660) },
      changed: {
        outages: { min: 1, max: 2 },
        notifications: { min: 2, max: 4 },
        downSeconds: { min: 600, max: 660 },
      },
      later: { medianSeconds: single(20), maxSeconds: single(20) },
      gone: [],
    });
  });

  test("leave out a blip that a later check ended for certain", () => {
    const { changed, gone } = replay(shop, { confirmations: 3 });
    expect(changed).toEqual({ outages: single(1), notifications: single(2), downSeconds: single(600) });
    expect(gone.map(({ startedAt }) => startedAt)).toEqual([slot(5)]);
  });

  test("are exact for a job, which is never checked again", () => {
    const statuses: Status[] = ["ok", "failed", "ok", "failed", "failed", "ok", "ok"];
    const job = recorded(
      monitorOf(
        "SCHEDULED",
        statuses.map((status, at) => ({ at: slot(at * 10), status })),
      ),
    );
    expect(replay(job, { confirmations: 1 })).toMatchObject({
      exact: true,
      present: { outages: 2, notifications: 4 },
      changed: { outages: 1, notifications: 2, downSeconds: 1200 },
      gone: [{ startedAt: slot(10) }],
      later: { medianSeconds: 600 },
    });
  });
});

test("behavior 25.3: a re-check between two slow answers may have been fast", () => {
  const results = [...slots(0, 5, "up"), ...slots(5, 7, "degraded"), ...slots(7, 20, "up")];
  const past = recorded(monitorOf("HTTP", results));
  expect(replay(past, { confirmations: 2 })).toMatchObject({
    exact: false,
    changed: { outages: { min: 0, max: 1 } },
  });
});

test("behavior 25.3: fewer confirmations make an outage of a blip that a re-check ended, until the next slot", () => {
  const blip: Recorded[] = [
    ...slots(0, 5, "up"),
    { at: slot(5), status: "up", seen: "down" },
    { at: slot(5) + 20_050, status: "up", latencyMs: 50 },
    ...slots(6, 20, "up"),
  ];
  const past = recorded(monitorOf("HTTP", blip, { confirmations: 1 }));
  expect(replay(past, { confirmations: 0 })).toMatchObject({
    ...{ exact: true, present: { outages: 0 } },
    changed: { outages: 1, notifications: 2, downSeconds: 60 },
  });
});

describe("behavior 25.2: notifications", () => {
  const after = replay(shop, { after: 300 });

  test("behavior 25.6, 25.7: are left out for trouble that ended before", () => {
    expect(after).toMatchObject({
      ...{
        exact: true,
        changed: { outages: 2, notifications: 2 },
        later: { medianSeconds: 300, maxSeconds: 300 },
      },
      missed: [{ startedAt: slot(5), endedAt: slot(6), status: "down" }],
    });
  });

  test("are repeated", () => expect(replay(shop, { every: 300 }).changed.notifications).toBe(5));

  test("are of the groups that the channels list", () => {
    expect(replay(shop, { notifyOn: ["down"] }).changed.notifications).toBe(2);
    expect(replay(shop, { notifyOn: ["warning"] })).toMatchObject({
      changed: { notifications: 0 },
      missed: [{}, {}],
    });
  });

  test("wait for the hours, if the trouble lasts until then", () => {
    const days = ["mon" as const];
    const hours = (from: string) => ({ timezone: "UTC", windows: [{ days, from, to: "23:00" }] });
    expect(replay(shop, { hours: hours("12:00") }).changed.notifications).toBe(0);
    expect(replay(shop, { hours: hours("00:28") })).toMatchObject({
      changed: { notifications: 2 },
      missed: [{ startedAt: slot(5) }],
    });
  });

  test("wait for the end of a maintenance", () => {
    const maintenance = { cron: "0 0 * * *", timezone: "UTC", duration: 1700 };
    const { changed, later, missed } = replay(shop, { maintenance });
    expect([changed.notifications, missed.length]).toEqual([2, 1]);
    expect(later.medianSeconds).toBeGreaterThan(300);
  });

  test("behavior 25.5: stay as an acknowledgement left them", () => {
    const [monitor] = shop.monitors.values() as Iterable<MonitorPast> as [MonitorPast];
    const outages = monitor.outages.map((one) => ({
      ...one,
      acknowledged: [{ at: one.startedAt + 1000, until: null }],
    }));
    const past = pastOf([{ ...monitor, outages }]);
    expect(replay(past, { every: 300 }).changed.notifications).toBe(4);
    expect(replay(past, { after: 300 }).changed.notifications).toBe(0);
  });
});

test("behavior 25.5: a schedule notifies whoever is on call, and the default channels if nobody is", () => {
  const schedule = { ...AT_ONCE, channelId: null, scheduleId: "night" };
  const [channel] = pastOf([]).channels.values();
  const channels = new Map(
    [CHANNEL, "anas", "bens"].map((id) => [id, { ...channel, id } as typeof channel & { id: string }]),
  );
  const onCall = new Map([["night", (at: number) => (at < slot(10) ? ["anas", "bens"] : [])]]);
  const others = { channels: channels as ReplayedPast["channels"], onCall, defaultChannelIds: [CHANNEL] };
  const past = recorded(monitorOf("HTTP", SHOP, { bindings: [schedule] }), others);
  const [monitor] = past.monitors.values() as Iterable<MonitorPast> as [MonitorPast];
  const ids = monitor.notifications.map(({ channelId }) => channelId);
  expect(ids).toEqual(["anas", "bens", "anas", "bens", CHANNEL, CHANNEL]);
  expect(replay(past, { after: 120 }).changed.notifications).toBe(2);
});

test("behavior 25.5: an outage of a monitor that another one depends on mutes it", () => {
  const router = monitorOf("HTTP", SHOP, { bindings: [] }, { id: "router", isSelected: false });
  const shop = monitorOf("HTTP", SHOP, { dependsOn: ["router"] });
  const courses = replayFromScratch(pastOf([router, shop]));
  expect(courses.get("shop")?.outages.map(({ messages }) => messages.length)).toEqual([0, 0]);
});

test("behavior 25.5: a monitor that is healthy until later mutes nothing", () => {
  const later = [...slots(40, 45, "up"), ...slots(45, 50, "down"), ...slots(50, 60, "up")];
  const router = monitorOf("HTTP", later, { bindings: [] }, { id: "router", isSelected: false });
  const statuses: Status[] = ["ok", "failed", "ok"];
  const results = statuses.map((status, at) => ({ at: slot(at * 5), status }));
  const job = monitorOf("SCHEDULED", results, { dependsOn: ["router"] });
  const outages = replayFromScratch(pastOf([router, job])).get("shop")?.outages ?? [];
  expect(outages.map(({ messages }) => messages.map(({ status }) => status))).toEqual([["failed", "ok"]]);
});

test("behavior 25.13: a check that only a notification requested is left out if the replay sends none then", () => {
  // The delayed notification requested the check that ended the outage, before the next slot.
  const requested = {
    at: slot(10) + 322_000,
    status: "up" as const,
    latencyMs: 50,
  };
  const results = [...slots(0, 10, "up"), ...slots(10, 16, "down"), requested, ...slots(16, 30, "up")];
  const delayed = { ...AT_ONCE, timing: { after: 320, every: 0, hours: null } };
  const past = recorded(
    monitorOf(
      "HTTP",
      results.toSorted((one, other) => one.at - other.at),
      { bindings: [delayed] },
    ),
  );
  const { present, changed } = replay(past, { after: 86_400 });
  expect([present.downSeconds, changed.downSeconds]).toEqual([322, 360]);
});

test("behavior 25.14: an outage that the rules do not give, and that a change alters, has bounds", () => {
  const [monitor] = shop.monitors.values() as Iterable<MonitorPast> as [MonitorPast];
  const [blip, long] = monitor.outages as [MonitorPast["outages"][number], MonitorPast["outages"][number]];
  const notifications = monitor.notifications.filter(({ outageId }) => outageId === long.id);
  const silent = pastOf([{ ...monitor, outages: [blip, long], notifications }]);
  const { exact, changed } = replay(silent, { notifyOn: ["down"] });
  expect([exact, changed.notifications]).toEqual([false, { min: 0, max: 2 }]);
});

test("behavior 25.4: a job that fails while it is paused has no outage then, and is notified of when it fails after that", () => {
  const statuses: Status[] = ["ok", "failed", "failed", "failed", "ok"];
  const results = statuses.map((status, at) => ({ at: slot(at * 10), status }));
  const job = monitorOf("SCHEDULED", results);
  const [settings] = job.settings as [MonitorPast["settings"][number]];
  const paused = { ...settings, since: slot(5), enabled: false };
  const resumed = { ...settings, since: slot(25) };
  const outages =
    replayFromScratch(pastOf([{ ...job, settings: [settings, paused, resumed] }])).get("shop")?.outages ?? [];
  expect(outages.map(({ startedAt, endedAt, messages }) => [startedAt, endedAt, messages.length])).toEqual([
    [slot(30), slot(40), expect.any(Number)],
  ]);
});

describe("behavior 25.3: a check that somebody asked for", () => {
  /** Checks by hand, of a monitor that is checked once a day. */
  const byHand = (statuses: readonly Status[], settings: { confirmations?: number } = {}) => {
    const config = { url: "http://shop.example/", interval: 86_400 };
    const results = statuses.map((status, at) => ({
      at: START + 7_000_000 + at * 600,
      status,
      latencyMs: 5,
    }));
    return recorded(monitorOf("HTTP", results, { config, ...settings }));
  };

  test("confirms a suspicion long before the re-check is due", () => {
    const past = byHand(["up", "down", "down", "up"]);
    expect(replay(past, { confirmations: 1 })).toMatchObject({
      exact: true,
      changed: { outages: 1, notifications: 2 },
    });
  });

  test("is no re-check that is left out with fewer confirmations", () => {
    const results = ["up", "down", "down", "down", "up"].map((seen, at) => ({
      ...{ at: START + 7_000_000 + at * 600, latencyMs: 5 },
      ...(at === 1 || at === 2
        ? { status: "up" as const, seen: "down" as const }
        : { status: seen as Status }),
    }));
    const config = { url: "http://shop.example/", interval: 86_400 };
    const past = recorded(monitorOf("HTTP", results, { config, confirmations: 2 }));
    const { exact, changed } = replay(past, { confirmations: 0 });
    expect([exact, changed.outages, changed.notifications]).toEqual([true, 1, 2]);
  });
});

test("behavior 25.3: with a short interval, the check of the next slot is no re-check", () => {
  const config = { url: "http://shop.example/", interval: 2 };
  const statuses: Status[] = ["up", "up", "down", "up", "up"];
  const first = nextCheckAt("shop", 2, START) + 50;
  const results = statuses.map((status, at) => ({ at: first + at * 2000, status, latencyMs: 50 }));
  const past = recorded(monitorOf("HTTP", results, { config }));
  expect(replay(past, { confirmations: 1 })).toMatchObject({
    exact: false,
    changed: { outages: { min: 0, max: 1 } },
  });
});

test("behavior 25.3: a change of notifications is exact also if the recovery comes after a pause", () => {
  const statuses: Status[] = ["ok", "failed", "ok"];
  const results = statuses.map((status, at) => ({ at: slot(at * 10), status }));
  const job = monitorOf("SCHEDULED", results);
  const [settings] = job.settings as [MonitorPast["settings"][number]];
  const all = [settings, { ...settings, since: slot(12), enabled: false }, { ...settings, since: slot(15) }];
  const [outage] = replayFromScratch(pastOf([{ ...job, settings: all }])).get("shop")?.outages ?? [];
  const sent = (at: number, status: Status, outageId: string | null) => ({
    ...{ channelId: CHANNEL, outageId, status, createdAt: at, sentAt: at, isReminder: false },
  });
  const past = pastOf([
    {
      ...{ ...job, settings: all },
      outages: [{ id: "0", startedAt: slot(10), endedAt: slot(12), status: "failed", acknowledged: [] }],
      notifications: [sent(slot(10), "failed", "0"), sent(slot(20), "ok", null)],
    },
  ]);
  expect(outage?.endedAt).toBe(slot(12));
  expect(replay(past, { notifyOn: ["down"] })).toMatchObject({ exact: true, changed: { notifications: 1 } });
  expect(replay(past, { after: 86_400 })).toMatchObject({ exact: true, changed: { notifications: 0 } });
});

test("behavior 25.5: the changes are of the selected monitors only, not of those that they depend on", () => {
  const router = monitorOf(
    "SCHEDULED",
    [
      { at: slot(1), status: "failed" },
      { at: slot(20), status: "ok" },
    ],
    { bindings: [] },
    { id: "router", isSelected: false },
  );
  const job = monitorOf(
    "SCHEDULED",
    [
      { at: slot(0), status: "ok" },
      { at: slot(5), status: "failed" },
      { at: slot(40), status: "ok" },
    ],
    { dependsOn: ["router"] },
  );
  const [outage] = replayFromScratch(pastOf([router, job])).get("shop")?.outages ?? [];
  expect(outage?.messages.map(({ status }) => status)).toEqual(["failed", "ok"]);
  const notifications = (outage?.messages ?? []).map(({ channelId, at, status }) => ({
    ...{ channelId, outageId: "0", status, createdAt: at, sentAt: at, isReminder: false },
  }));
  const outages = [
    { id: "0", startedAt: slot(5), endedAt: slot(40), status: "failed" as const, acknowledged: [] },
  ];
  const { changed } = replay(pastOf([router, { ...job, outages, notifications }]), { recoveries: 1 });
  expect(changed.notifications).toBe(1);
});

describe("behavior 25.12: a monitor with locations", () => {
  const places = (downWhen: "all" | "any") => ({ places: { names: ["here", "berlin"], downWhen } });
  const at = (number: number, location: string) => slot(number) + (location === "here" ? 0 : 30_000);
  /** `berlin` sees it down in three slots. */
  const results = Array.from({ length: 20 }, (_, number) =>
    ["here", "berlin"].map((location): Recorded => {
      const isDown = location === "berlin" && number >= 5 && number < 8;
      return {
        ...{ at: at(number, location), status: "up", latencyMs: 50, detail: { location } },
        ...(isDown && { seen: "down" as const }),
      };
    }),
  ).flat();
  const past = recorded(monitorOf("HTTP", results, places("all")));

  test("is down when one sees it, with other votes", () => {
    expect(replay(past, { downWhen: "any" })).toMatchObject({
      ...{ exact: true, present: { outages: 0 } },
      changed: { outages: 1, notifications: 2, downSeconds: 180 },
    });
  });

  test("stays up if more checks are needed, which its locations make", () => {
    const { changed } = replay(past, { downWhen: "any", confirmations: 8 });
    expect(changed.outages).toEqual({ min: 0, max: expect.any(Number) });
  });
});

test("behavior 25.1: a certificate is warned of earlier, between usual results", () => {
  const validTo = new Date(START + 20 * 86_400_000).toISOString();
  const detail = { validFrom: "2026-01-01T00:00:00.000Z", validTo, fingerprint: "AA" };
  const results = slots(0, 3, "active").map((one) => ({ ...one, detail, latencyMs: 50 }));
  const past = recorded(monitorOf("TLS", results));
  const { changed, missed, exact } = replay(past, { warnDays: 10 });
  expect([changed.outages, changed.notifications, missed, exact]).toEqual([1, 1, [], true]);
  expect(replay(past, { warnDays: 19 }).changed.downSeconds).toBeGreaterThan(
    replay(past, { warnDays: 18 }).changed.downSeconds as number,
  );
});

describe("behavior 25.10: a slower answer is Degraded", () => {
  const slow = slots(5, 8, "up").map((one) => ({ ...one, latencyMs: 900 }));
  const results = [...slots(0, 5, "up"), ...slow, ...slots(8, 20, "up")];

  test("if the recorded latency is above the limit", () => {
    const past = recorded(monitorOf("HTTP", results));
    expect(replay(past, { "expect.within": 500 })).toMatchObject({
      exact: true,
      changed: { outages: 1, downSeconds: 180 },
    });
    expect(replay(past, { "expect.within": 1000 })).toMatchObject({ exact: true, changed: { outages: 0 } });
  });

  test.each([
    [{ contains: ["cart"] }, false],
    [{ same: "text" }, false],
    [{ same: "header:ETag" }, true],
  ])("and not exactly, if the expectation reads the body: %j", (expected, exact) => {
    const config = { url: "http://shop.example/", interval: 60, expect: expected };
    const past = recorded(monitorOf("HTTP", results, { config }));
    const { changed, exact: isExact } = replay(past, { "expect.within": 500 });
    expect([isExact, changed.outages]).toEqual([exact, exact ? 1 : single(1)]);
  });

  test("and a content that changed stays Degraded, whatever the limit is", () => {
    const detail = { reason: "changed", message: "the body changed" };
    const changes = slots(5, 8, "degraded").map((one) => ({ ...one, latencyMs: 900, detail }));
    const config = {
      url: "http://shop.example/",
      interval: 60,
      expect: { same: "header:ETag", within: 500 },
    };
    const all = [...slots(0, 5, "up"), ...changes, ...slots(8, 20, "up")];
    const past = recorded(monitorOf("HTTP", all, { config }));
    expect(replay(past, { "expect.within": 5000 })).toMatchObject({ exact: true, changed: { outages: 1 } });
  });
});

test("behavior 25.10: a monitor of another type has no such limit", () => {
  const slow = slots(0, 20, "up").map((one) => ({ ...one, latencyMs: 900 }));
  const tcp = monitorOf(
    "TCP",
    slow,
    { config: { host: "shop.example", port: 1, interval: 60 } },
    { id: "tcp" },
  );
  const past = pastOf([monitorOf("HTTP", slots(0, 20, "up")), tcp]);
  expect(replay(past, { "expect.within": 500 }).changed.outages).toBe(0);
});

test("behavior 25.11: a missed run in a tried maintenance is excused, once", () => {
  const results: Recorded[] = [
    { at: START + 1_000_000, status: "ok" },
    { at: START + 4_000_000, status: "havent_heard" },
    { at: START + 5_000_000, status: "ok" },
  ];
  const past = recorded(monitorOf("SCHEDULED", results));
  const maintenance = { cron: "0 1 * * *", timezone: "UTC", duration: 1200 };
  expect(replay(past, { maintenance })).toMatchObject({
    exact: true,
    present: { outages: 1 },
    changed: { outages: 0 },
  });
});

test("behavior 25.11, 26.116: in a tried maintenance, a content that changed would have been usual, which is not known exactly", () => {
  const detail = { reason: "changed", message: "the body changed" };
  const changes = slots(5, 8, "degraded").map((one) => ({ ...one, detail }));
  const past = recorded(monitorOf("HTTP", [...slots(0, 5, "up"), ...changes, ...slots(8, 20, "up")]));
  const maintenanceAt = (minute: number) => {
    const at = new Date(START + minute * 60_000);
    return { cron: `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`, timezone: "UTC", duration: 240 };
  };
  expect(replay(past, { maintenance: maintenanceAt(4) }).exact).toBe(false);
  expect(replay(past, { maintenance: maintenanceAt(12) }).exact).toBe(true);
});
