import { describe, expect, test } from "bun:test";
import { AT_ONCE } from "../../../src/domain/alerts/alert-binding.ts";
import { EVERY_GROUP } from "../../../src/domain/alerts/notify.ts";
import { parseDocument } from "../../../src/domain/configuration/parse-document.ts";
import type { Change } from "../../../src/domain/configuration/plan.ts";
import {
  needSchedules,
  type PresentAlerting,
  type PresentMonitor,
  planReplays,
} from "../../../src/domain/replay/planned-changes.ts";

const HOURS = {
  timezone: "Europe/Berlin",
  windows: [{ days: ["mon" as const], from: "08:00", to: "18:00" }],
  outside: "hold" as const,
};

const job = (ref: string, changes: Partial<PresentMonitor> = {}): PresentMonitor => ({
  id: `id of ${ref}`,
  ref,
  name: `Name of ${ref}`,
  type: "SCHEDULED",
  config: { interval: 60 } as never,
  tags: [],
  alertBindings: [{ alertChannelId: "id of ops", ...AT_ONCE }],
  ...changes,
});

const PRESENT: PresentAlerting = {
  defaultChannelIds: ["id of ops"],
  channels: [
    { id: "id of ops", ref: "ops", notifyOn: EVERY_GROUP },
    { id: "id of boss", ref: "boss", notifyOn: EVERY_GROUP },
  ],
  schedules: [{ id: "id of night", ref: "night" }],
  monitors: [job("shop")],
};

const updated = (fields: string[], ref = "shop", kind: Change["kind"] = "monitor"): Change => ({
  action: "update",
  kind,
  ref,
  fields,
});

const channel = (settings: object = {}) => ({
  type: "EMAIL",
  config: { to: "ops@example.com" },
  ...settings,
});

function plan(document: object, changes: Change[], present: Partial<PresentAlerting> = {}) {
  const parsed = parseDocument(document);
  expect(parsed.faults).toEqual([]);
  return { document: parsed.document, changes, present: { ...PRESENT, ...present } };
}

/** The changes of the monitor `shop` that are replayed, and the fields that are not. */
function ofShop(document: object, changes: Change[], present: Partial<PresentAlerting> = {}) {
  const [first, ...others] = planReplays(plan(document, changes, present));
  expect(others).toEqual([]);
  const { changes: replayed = {}, unknown = [] } = first ?? {};
  return [replayed, unknown.map(({ field, reason }) => (reason ? `${field} (${reason})` : field))];
}

const shop = (settings: object) => ({ monitors: { shop: { type: "SCHEDULED", ...settings } } });

describe("behavior 25.41: a plan changes", () => {
  test("confirmations and recoveries, also to their defaults", () => {
    const fields = ["confirmations", "recoveries", "tags"];
    expect(ofShop(shop({ confirmations: 2, tags: ["a"] }), [updated(fields)])).toEqual([
      { confirmations: 2, recoveries: 0 },
      ["tags"],
    ]);
  });

  test("the days before the end of a certificate, also to their default", () => {
    const tls = [
      job("shop", { type: "TLS", config: { host: "shop.test", port: 443, warnDays: 7 } as never }),
    ];
    const document = (config: object) => ({
      monitors: { shop: { type: "TLS", config: { host: "shop.test", interval: 60, ...config } } },
    });
    const given = (config: object, field = "config.warnDays") =>
      ofShop(document(config), [updated([field])], { monitors: tls });
    expect(given({ warnDays: 30 })).toEqual([{ warnDays: 30 }, []]);
    expect(given({})).toEqual([{ warnDays: 14 }, []]);
    expect(given({}, "config.servername")).toEqual([{}, ["config.servername"]]);
  });

  test("how fast an answer must be, and not what else is expected of it", () => {
    const http = (config: object) => ({
      monitors: [
        job("shop", { type: "HTTP", config: { url: "http://shop.test", interval: 60, ...config } as never }),
      ],
    });
    const document = (expect: object) => ({
      monitors: { shop: { type: "HTTP", config: { url: "http://shop.test", interval: 60, expect } } },
    });
    const given = (before: object, after: object) =>
      ofShop(document(after), [updated(["config.expect"])], http(before));
    expect(given({}, { within: 500 })).toEqual([{ "expect.within": 500 }, []]);
    expect(given({ expect: { within: 500 } }, { within: 900, contains: ["OK"] })).toEqual([
      { "expect.within": 900 },
      ["config.expect"],
    ]);
    expect(given({ expect: { within: 500 } }, {})).toEqual([{ "expect.within": 60_000 }, []]);
    expect(given({ expect: { contains: ["OK"] } }, {})).toEqual([{}, ["config.expect"]]);
    expect(given({ protocol: "websocket" }, { within: 500 })).toEqual([{}, ["config.expect"]]);
  });

  test("how many locations must see trouble", () => {
    const dns = { monitors: [job("shop", { type: "DNS" })] };
    const document = {
      monitors: {
        shop: {
          type: "DNS",
          config: { hostname: "shop.test", recordType: "A", interval: 60 },
          locations: ["here", "there"],
          downWhen: "any",
        },
      },
    };
    expect(ofShop(document, [updated(["downWhen"])], dns)).toEqual([{ downWhen: "any" }, []]);
  });

  test("the timing of bindings, if all bindings get the same", () => {
    const timed = (timing: object) => ({
      ...shop({ alertBindings: [{ alertChannelId: "ops", ...timing }] }),
      channels: { ops: channel() },
    });
    const given = (timing: object, before: object = {}) =>
      ofShop(timed(timing), [updated(["alertBindings"])], {
        monitors: [job("shop", { alertBindings: [{ alertChannelId: "id of ops", ...AT_ONCE, ...before }] })],
      });
    expect(given({ after: 300 })).toEqual([{ after: 300 }, []]);
    expect(given({ after: 300, every: 3600 }, { every: 3600 })).toEqual([{ after: 300 }, []]);
    expect(given({}, { after: 60, every: 3600 })).toEqual([{ after: 0, every: 0 }, []]);
    expect(given({ hours: HOURS })).toEqual([{ hours: HOURS }, []]);
    const days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    const always = { timezone: "UTC", windows: [{ days, from: "00:00", to: "24:00" }] };
    expect(given({}, { hours: HOURS })).toEqual([{ hours: always }, []] as never);
  });

  test("bindings that the document leaves to the default channels", () => {
    const bound = (id: string) => ({
      monitors: [job("shop", { alertBindings: [{ alertChannelId: id, ...AT_ONCE, after: 60 }] })],
    });
    const given = (id: string) => ofShop(shop({}), [updated(["alertChannelIds"])], bound(id));
    expect(given("id of ops")).toEqual([{ after: 0 }, []]);
    expect(given("id of boss")).toEqual([{}, ["alertChannelIds"]]);
  });

  test("the groups that a channel is notified of, for every monitor that is bound to it", () => {
    const monitors = [
      job("shop"),
      job("free", { ref: null }),
      job("boss", { alertBindings: [{ alertChannelId: "id of boss", ...AT_ONCE }] }),
    ];
    const document = { channels: { ops: channel({ notifyOn: ["down"] }) } };
    const changes = [updated(["notifyOn", "name"], "ops", "channel")];
    expect(planReplays(plan(document, changes, { monitors }))).toEqual([
      { id: "id of shop", ref: "shop", name: "shop", changes: { notifyOn: ["down"] }, unknown: [] },
      { id: "id of free", ref: null, name: "Name of free", changes: { notifyOn: ["down"] }, unknown: [] },
    ]);
    expect(planReplays(plan(document, [updated(["name"], "ops", "channel")], { monitors }))).toEqual([]);
  });

  test("the windows of a new maintenance, for every monitor that it selects after the plan", () => {
    const monitors = [job("shop"), job("free", { ref: null, tags: ["nightly"] }), job("other")];
    const document = {
      ...shop({ tags: ["nightly"] }),
      maintenances: {
        night: {
          selector: { tags: ["nightly"] },
          cron: "0 3 * * *",
          timezone: "Europe/Berlin",
          duration: 600,
        },
        once: {
          selector: { all: true },
          startsAt: "2026-11-28T00:00:00Z",
          endsAt: "2026-11-28T01:00:00Z",
        },
        old: { selector: { all: true }, cron: "0 4 * * *", duration: 60 },
      },
    };
    const changes: Change[] = [
      updated(["tags"]),
      { action: "create", kind: "maintenance", ref: "night", fields: [] },
      { action: "create", kind: "maintenance", ref: "once", fields: [] },
      updated(["title"], "old", "maintenance"),
    ];
    const maintenance = { cron: "0 3 * * *", timezone: "Europe/Berlin", duration: 600 };
    expect(planReplays(plan(document, changes, { monitors }))).toMatchObject([
      { ref: "shop", changes: { maintenance }, unknown: [{ field: "tags" }] },
      { ref: null, changes: { maintenance }, unknown: [] },
    ]);
  });

  test("new and deleted monitors, of which there is no past or no future", () => {
    const changes: Change[] = [
      { action: "create", kind: "monitor", ref: "new", fields: ["type", "confirmations"] },
      { action: "delete", kind: "monitor", ref: "shop", fields: [] },
    ];
    const document = { monitors: { new: { type: "SCHEDULED", confirmations: 2 } } };
    const added = { id: null, ref: "new", name: "new", changes: {}, unknown: [] };
    expect(planReplays(plan(document, changes))).toEqual([added]);
    const channels = { ops: channel({ notifyOn: ["down"] }) };
    const both = [...changes, updated(["notifyOn"], "ops", "channel")];
    expect(planReplays(plan({ ...document, channels }, both))).toEqual([added]);
  });
});

describe("behavior 25.43: a replay can't try", () => {
  const document = {
    ...shop({
      alertBindings: [
        { alertChannelId: "ops", after: 300, every: 600 },
        { alertChannelId: "boss", every: 600 },
      ],
    }),
    channels: { ops: channel(), boss: channel() },
  };
  const both = {
    monitors: [
      job("shop", {
        alertBindings: [
          { alertChannelId: "id of ops", ...AT_ONCE },
          { alertChannelId: "id of boss", ...AT_ONCE },
        ],
      }),
    ],
  };

  test("bindings that would differ from one another, only what they have in common", () => {
    expect(ofShop(document, [updated(["alertBindings"])], both)).toEqual([
      { every: 600 },
      ["after (its bindings would differ)"],
    ]);
  });

  test("other channels of a monitor, or other schedules", () => {
    expect(ofShop(document, [updated(["alertBindings"])])).toEqual([
      { every: 600 },
      ["alertBindings", "after (its bindings would differ)"],
    ]);
    const night = { monitors: [job("shop", { alertBindings: [{ scheduleId: "id of night", ...AT_ONCE }] })] };
    const given = (bindings: object[]) =>
      ofShop(shop({ alertBindings: bindings }), [updated(["alertBindings"])], night);
    expect(given([{ scheduleId: "night", after: 60 }])).toEqual([{ after: 60 }, []]);
    expect(
      given([
        { scheduleId: "night", after: 60 },
        { alertChannelId: "ops", after: 60 },
      ]),
    ).toEqual([{ after: 60 }, ["alertBindings"]]);
  });

  test("channels of a monitor that would differ, and those of the people on call", () => {
    const down = { channels: { ops: channel({ notifyOn: ["down"] }) } };
    const changes = [updated(["notifyOn"], "ops", "channel")];
    expect(ofShop(down, changes, both)).toEqual([{}, ["notifyOn (its channels would differ)"]]);
    const channels = { ...down.channels, boss: channel({ notifyOn: ["down"] }) };
    expect(ofShop({ channels }, [...changes, updated(["notifyOn"], "boss", "channel")], both)).toEqual([
      { notifyOn: ["down"] },
      [],
    ]);
    const onCall = job("shop", {
      alertBindings: [
        { alertChannelId: "id of ops", ...AT_ONCE },
        { scheduleId: "id of night", ...AT_ONCE },
      ],
    });
    expect(ofShop(down, changes, { monitors: [onCall] })).toEqual([
      {},
      ["notifyOn (the people of its schedules have other channels)"],
    ]);
  });

  test("several new maintenances of a monitor", () => {
    const window = { selector: { all: true }, cron: "0 3 * * *", duration: 600 };
    const created = (ref: string): Change => ({ action: "create", kind: "maintenance", ref, fields: [] });
    expect(ofShop({ maintenances: { one: window, two: window } }, [created("one"), created("two")])).toEqual([
      {},
      ["maintenance (several are new)"],
    ]);
  });
});

test("behavior 25.41: only the bindings that a plan changes are needed in full", () => {
  const monitors = [
    job("shop"),
    job("other"),
    job("boss", { alertBindings: [{ alertChannelId: "id of boss", ...AT_ONCE }] }),
  ];
  const document = { ...shop({ alertBindings: [] }), channels: { boss: channel({ notifyOn: ["down"] }) } };
  const changes = [updated(["alertBindings"]), updated(["confirmations"], "other")];
  expect(needSchedules(plan(document, changes, { monitors }))).toEqual(["id of shop"]);
  const both = [...changes, updated(["notifyOn"], "boss", "channel")];
  expect(needSchedules(plan(document, both, { monitors }))).toEqual(["id of shop", "id of boss"]);
});
