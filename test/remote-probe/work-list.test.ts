import { expect, test } from "bun:test";
import { nextCheckAt } from "../../src/domain/checks/check-slot.ts";
import { slotOffset } from "../../src/domain/locations/location.ts";
import { createWorkList } from "../../src/remote-probe/work-list.ts";
import { monitor } from "../support/remote-probe/test-probe.ts";
import { alone } from "../support/store/alone.ts";

const START = Date.UTC(2027, 5, 1, 12);
const MINUTE = 60_000;

function start() {
  const time = { now: START };
  const list = createWorkList({ now: () => time.now });
  const due = (before = time.now + 1) => list.checks.listDueSlots(alone, { now: time.now, before });
  const next = async () => {
    const [slot] = await due(time.now + 10 * MINUTE);
    return slot?.nextCheckAt;
  };
  const end = (startAt: number, at: number, revision = 1) =>
    list.ended({ monitorId: "a", revision, startAt, at })?.nextCheckAt;
  return { time, list, due, next, end };
}

test("behavior 13.41: a new or changed monitor is due now, an unchanged one in its slot", async () => {
  const { time, list, due, end } = start();
  list.set([monitor("a", { interval: 60 })]);
  expect(await due()).toHaveLength(1);
  end(START, START + 5);
  list.set([monitor("a", { interval: 60 })]);
  expect(await due()).toEqual([]);
  time.now += 100;
  list.set([monitor("a", { interval: 60, revision: 2 })]);
  const [slot] = await due();
  expect(await list.checks.claim(slot ? [slot] : [], alone, time.now)).toMatchObject([
    { id: "a", revision: 2, nextCheckAt: time.now },
  ]);
});

test("a changed monitor gets another slot than its running check, which is cancelled for it", async () => {
  const { list, due } = start();
  list.set([monitor("a")]);
  const [before] = await due();
  list.set([monitor("a", { revision: 2 })]);
  const [after] = await due();
  expect(after?.pk).toBe(before?.pk as number);
  expect(after?.nextCheckAt).not.toBe(before?.nextCheckAt as number);
});

test("what a check of an earlier revision saw, or of a deleted monitor, is not taken", () => {
  const { list, end } = start();
  list.set([monitor("a", { revision: 2 })]);
  expect(end(START, START + 5, 1)).toBeUndefined();
  list.set([]);
  expect(end(START, START + 5, 2)).toBeUndefined();
});

test("the slots of a location are later than the first ones by its offset", () => {
  const { list, end } = start();
  const offset = slotOffset(1, 3, 60);
  list.set([monitor("a", { interval: 60, offset })]);
  const slot = end(START, START + 5) ?? 0;
  expect(slot - offset).toBe(nextCheckAt("a", 60, slot - offset - 1));
  expect(slot - START).toBeLessThanOrEqual(MINUTE);
});

test("after a restart, the slots that passed meanwhile are due, and no others", async () => {
  const { time, list, due } = start();
  const ids = Array.from({ length: 60 }, (_, at) => `monitor ${at}`);
  list.set(
    ids.map((id) => monitor(id, { interval: 60 })),
    time.now - MINUTE / 2,
  );
  const overdue = (await due()).length;
  expect(overdue).toBeGreaterThan(0);
  expect(overdue).toBeLessThan(ids.length);
});

test("behavior 13.41: a check that the server asks for comes in place of the next slot, and uses it up", async () => {
  const { time, list, next, end } = start();
  list.set([monitor("a", { interval: 60 })]);
  const slot = end(START, START + 5) ?? 0;
  time.now = slot - 10_000;
  const asked = slot + 10_000;
  expect(list.setRechecks([{ monitorId: "a", at: asked }])).toBe(true);
  expect(await next()).toBe(asked);
  expect(list.setRechecks([{ monitorId: "a", at: asked }])).toBe(false);
  time.now = asked;
  expect(end(asked, asked + 5)).toBe(slot + MINUTE);
  expect(list.setRechecks([{ monitorId: "a", at: asked }])).toBe(false);
  expect(await next()).toBe(slot + MINUTE);
});

test("behavior 13.41: a check that runs already is the one that the server asks for", async () => {
  const { time, list, due, end } = start();
  list.set([monitor("a", { interval: 60 })]);
  const [running] = await due();
  time.now += 100;
  list.setRechecks([{ monitorId: "a", at: time.now }]);
  expect(await due()).toEqual(running ? [running] : []);
  time.now += 100;
  expect(end(START, time.now)).toBeGreaterThan(time.now + 1000);
});

test("a check that the server asked for and does not want any more gives way to the slot", async () => {
  const { time, list, next, end } = start();
  list.set([monitor("a", { interval: 60 })]);
  const slot = end(START, START + 5) ?? 0;
  list.setRechecks([{ monitorId: "a", at: time.now + 50 }]);
  list.setRechecks([]);
  expect(await next()).toBe(slot);
});

test("a re-check that is due later than one interval from now is ignored", async () => {
  const { time, list, next, end } = start();
  list.set([monitor("a", { interval: 60 })]);
  const slot = end(START, START + 5) ?? 0;
  list.setRechecks([{ monitorId: "a", at: time.now + 10 * MINUTE }]);
  expect(await next()).toBe(slot);
});

test("behavior 1.17: after the clock was set back, what is too far away is due now", async () => {
  const { time, list, due, end } = start();
  list.set([monitor("a", { interval: 60 })]);
  end(START, START + 5);
  time.now -= 60 * MINUTE;
  expect(await list.checks.recall(time.now)).toBe(1);
  expect(await due()).toHaveLength(1);
});
