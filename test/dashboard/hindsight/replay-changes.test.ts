import { describe, expect, test } from "bun:test";
import type { Replay } from "../../../src/dashboard/web/data/api.ts";
import {
  changesBetween,
  describeReplay,
  hindsightParams,
} from "../../../src/dashboard/web/hindsight/replay-line.tsx";
import type { ReplayChanges } from "../../../src/domain/replay/changes.ts";

type Values = Parameters<typeof changesBetween>[1];
type Type = Parameters<typeof changesBetween>[0]["type"];

const bound = (alertChannelId: string, after = 0, every = 0) => ({ alertChannelId, after, every });
const hours = {
  timezone: "UTC",
  windows: [{ days: ["mon" as const], from: "08:00", to: "18:00" }],
  outside: "hold" as const,
};
const stored: Values = {
  confirmations: 0,
  recoveries: 0,
  downWhen: "majority",
  config: {},
  bindings: [bound("a"), bound("b")],
};

function changed(entered: Partial<Values>, before: Partial<Values> = {}, type: Type = "HTTP") {
  const known = { ...stored, ...before };
  return changesBetween({ type }, known, { ...known, ...entered });
}

describe("behavior 25.51: the form of a monitor asks for", () => {
  test.each<[string, ReplayChanges, ReplayChanges]>([
    ["nothing while nothing differs", {}, changed({})],
    [
      "the confirmations and the votes",
      { confirmations: 2, recoveries: 1, downWhen: "all" },
      changed({ confirmations: 2, recoveries: 1, downWhen: "all" }),
    ],
    ["no votes of a job", {}, changed({ downWhen: "all" }, {}, "SCHEDULED")],
    [
      "a time that all channels have",
      { after: 300 },
      changed({ bindings: [bound("b", 300), bound("a", 300)] }),
    ],
    ["no time that only some channels have", {}, changed({ bindings: [bound("a", 300), bound("b")] })],
    [
      "a time that the channels had not all",
      { every: 600 },
      changed(
        { bindings: [bound("a", 0, 600), bound("b", 0, 600)] },
        { bindings: [bound("a", 0, 600), bound("b")] },
      ),
    ],
    ["no time with other channels", {}, changed({ bindings: [bound("a", 300)] })],
    ["hours", { hours }, changed({ bindings: [{ ...bound("a"), hours }] }, { bindings: [bound("a")] })],
    ["the days of a certificate", { warnDays: 30 }, changed({ config: { warnDays: 30 } }, {}, "TLS")],
    ["no days that are the default", {}, changed({ config: { warnDays: 14 } }, {}, "TLS")],
    ["no number that is none", {}, changed({ config: { warnDays: "soon" } }, {}, "TLS")],
    ["the time of an answer", { "expect.within": 800 }, changed({ config: { expect: { within: 800 } } })],
  ])("%s", (_, expected, found) => {
    expect(found).toEqual(expected);
  });

  test("the longest time of an answer, and hours that never close, for none", () => {
    const limited = { config: { expect: { within: 800 } } };
    expect(changed({ config: {} }, limited)).toEqual({ "expect.within": 60_000 });
    const open = changed({ bindings: [bound("a")] }, { bindings: [{ ...bound("a"), hours }] }).hours;
    expect(open?.windows).toEqual([
      { days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], from: "00:00", to: "24:00" },
    ]);
  });
});

const counts = { outages: 20, notifications: 41, downSeconds: 0 };
const replay = {
  present: counts,
  changed: { ...counts, outages: 3, notifications: { min: 3, max: 5 } },
  later: { medianSeconds: 38, maxSeconds: 38 },
  missed: [],
  gone: [],
} as unknown as Replay;

test.each<[ReplayChanges, string]>([
  [{ confirmations: 2 }, "With 2"],
  [{ after: 300 }, "With 5 min"],
  [{ every: 0 }, "With 0 s"],
  [{ warnDays: 30 }, "With 30 days"],
  [{ "expect.within": 800 }, "With 800 ms"],
  [{ downWhen: 2 }, "With this change"],
  [{ hours }, "With this change"],
  [{ confirmations: 2, recoveries: 1 }, "With these changes"],
])("behavior 25.50: the sentence begins with what changes: %j", (changes, start) => {
  const request = { selector: { all: true as const }, days: 30, changes };
  expect(describeReplay({ request, replay })).toBe(
    `${start}: 3 to 5 messages instead of 41 in 30 days; the 3 outages 38 s later`,
  );
});

test("behavior 25.53: the address of the view has its monitors and days", () => {
  expect(`${hindsightParams({ all: true, tags: ["web"] })}`).toBe("");
  expect(`${hindsightParams({ monitorIds: ["a", "b"], tags: ["web"] }, 7)}`).toBe(
    "monitors=a%2Cb&tag=web&days=7",
  );
  expect(`${hindsightParams({ tags: ["web"] }, 30)}`).toBe("tag=web");
});
