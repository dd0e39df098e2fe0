import { describe, expect, test } from "bun:test";
import {
  type NotifiedChannel,
  previewAlerts,
} from "../../../../src/dashboard/web/monitors/alerts/alert-preview.ts";
import { EVERY_GROUP } from "../../../../src/domain/alerts/notify.ts";

const channel: NotifiedChannel = {
  id: "a",
  name: "On call",
  enabled: true,
  notifyOn: EVERY_GROUP,
  after: 0,
  every: 0,
};
const rules = { type: "HTTP", confirmations: 0, channels: [channel] } as const;
const noParents = { dependsOn: [], silentParents: [] };

function stepOf(changes: Partial<NotifiedChannel>): string | undefined {
  return previewAlerts({ ...rules, ...noParents, channels: [{ ...channel, ...changes }] }).steps[0]?.when;
}

describe("behavior 14.96: the alert preview", () => {
  test.each<[string, Partial<NotifiedChannel>, string]>([
    [
      "every change",
      {},
      "At once if the monitor goes down or gets a warning. Also when it is healthy again.",
    ],
    [
      "down only, with reminders",
      { notifyOn: ["down"], every: 3600 },
      "At once if the monitor goes down, then every 1 h until it is over or acknowledged. Not when it is healthy again.",
    ],
    [
      "lasting warnings",
      { notifyOn: ["warning", "healthy"], after: 5400 },
      "If the monitor gets a warning, and that lasts 1 h 30 min without being acknowledged. Also when it is healthy again, if the trouble was notified.",
    ],
    ["nothing, because it is disabled", { enabled: false, after: 60 }, "Never: the channel is disabled."],
  ])("describes a channel that is notified of %s", (_, changes, when) => {
    expect(stepOf(changes)).toBe(when);
  });

  test("has the channels in the order in which they are notified", () => {
    const late = { ...channel, id: "b", name: "Boss", after: 900 };
    const off = { ...channel, id: "c", name: "A disabled one", enabled: false };
    const { steps } = previewAlerts({ ...rules, ...noParents, channels: [off, late, channel] });
    expect(steps.map(({ name }) => name)).toEqual(["On call", "Boss", "A disabled one"]);
  });

  test.each([
    ["HTTP", 1, "1 further check must agree before anybody is notified."],
    ["TCP", 3, "3 further checks must agree before anybody is notified."],
    ["SCHEDULED", 1, "1 further failure or missed run must follow before anybody is notified."],
    ["SCHEDULED", 2, "2 further failures or missed runs must follow before anybody is notified."],
  ] as const)(
    "says how trouble of a monitor of type %s is confirmed %p times",
    (type, confirmations, sentence) => {
      const preview = previewAlerts({ type, confirmations, channels: [channel], ...noParents });
      expect(preview.conditions).toEqual([sentence]);
    },
  );

  test("says which monitors mute the notifications", () => {
    const conditionsOf = (dependsOn: string[]) =>
      previewAlerts({ ...rules, channels: [channel], dependsOn, silentParents: [] }).conditions;
    expect(conditionsOf(["Router"])).toEqual([
      "Trouble that begins while Router is down is notified only if it lasts longer.",
    ]);
    expect(conditionsOf(["A", "B", "C"])).toEqual([
      "Trouble that begins while A, B or C is down is notified only if it lasts longer.",
    ]);
  });

  test("warns if nobody is notified of one that mutes", () => {
    const parents = { dependsOn: ["A", "B"], silentParents: ["A", "C"] };
    expect(previewAlerts({ ...rules, channels: [channel], ...parents }).conditions).toEqual([
      "Trouble that begins while A or B is down is notified only if it lasts longer.",
      "Nobody is notified if A or C itself is down: bind an enabled channel to it.",
    ]);
  });

  test("without channels, is empty", () => {
    const parents = { dependsOn: ["A"], silentParents: ["A"] };
    expect(previewAlerts({ type: "HTTP", confirmations: 2, channels: [], ...parents })).toEqual({
      steps: [],
      conditions: [],
    });
  });
});
