import { expect, test } from "bun:test";
import type { SeenContent } from "../../../src/domain/checks/content-memory.ts";
import { judgeCheck, type Memory } from "../../../src/domain/checks/judge.ts";
import type { Evidence } from "../../../src/domain/checks/observation.ts";
import { acceptContents } from "../../../src/domain/checks/watched-content.ts";
import type { Confirmation } from "../../../src/domain/monitors/confirmation.ts";
import { type MonitorConfig, parseConfig } from "../../../src/domain/monitors/monitor.ts";
import { planRecording, type RecordingSubject } from "../../../src/domain/monitors/recording-plan.ts";
import { byAddress } from "../../support/checks/by-address.ts";
import { readPage } from "../../support/documentation/page.ts";
import { placed, START } from "../locations/walk.ts";
import { type WalkOptions, walkedChecks } from "./walked-checks.ts";

const CONFIG = { url: "https://a.example/", interval: 60, expect: { same: "text" } };

const saw = (digest: string, length: number | null, more: object = {}) => {
  const contents: SeenContent[] = [{ digest, length }];
  return { outcome: "reached" as const, latencyMs: 10, contents, detail: { statusCode: 200 }, ...more };
};
const [a, b, c] = [saw("a", 100), saw("b", 90), saw("c", 80)];
const down: Evidence = { outcome: "failed", reason: "timeout", detail: { message: "no answer within 10 s" } };

const walked = (checks: Evidence[], options: WalkOptions = {}) =>
  walkedChecks(checks, { config: CONFIG, ...options });
const statuses = (...given: Parameters<typeof walked>) => walked(...given).map(({ state }) => state.status);

test.each([false, true])(
  "behavior 26.110, 26.113: a page that is another one is degraded until the known one is back (location: %p)",
  (isPlaced) => {
    const states = walked([a, a, b, b, a, b, a], { isPlaced });
    const seen = states.map(({ state }) => state.status);
    expect(seen).toEqual(["up", "up", "degraded", "degraded", "up", "degraded", "up"]);
    const message = "the visible text changed: it has 90 characters instead of 100";
    expect(states[2]?.result?.detail).toMatchObject({ statusCode: 200, reason: "changed", message });
    expect(states[2]?.outages).toMatchObject([{ kind: "opened", reason: "changed", status: "degraded" }]);
    expect(states[3]?.transitions).toEqual([]);
    expect(states[4]?.transitions).toMatchObject([{ status: "up", wasDegradedBy: "changed" }]);
  },
);

test.each([false, true])(
  "behavior 26.113, 11.1: a change needs as many checks as any trouble, and so does its end (location: %p)",
  (isPlaced) => {
    const of = { isPlaced, confirmations: 1, recoveries: 1 };
    expect(statuses([a, b, a, b, b, a, a], of)).toEqual([
      "up",
      "up",
      "up",
      "up",
      "degraded",
      "degraded",
      "up",
    ]);
    const [, suspected] = walked([a, b], of);
    expect(suspected?.result?.detail).toMatchObject({ seen: { status: "degraded", reason: "changed" } });
  },
);

test.each([false, true])(
  "behavior 26.118: down wins, and what failed or was not whole is neither a change nor learned (location: %p)",
  (isPlaced) => {
    const unjudged = saw("a", 1, { contents: undefined });
    expect(statuses([down, a, down, unjudged, a, b], { isPlaced })).toEqual([
      "down",
      "up",
      "down",
      "up",
      "up",
      "degraded",
    ]);
    expect(statuses([a, b, down, b, down, a], { isPlaced })).toEqual([
      "up",
      "degraded",
      "down",
      "degraded",
      "down",
      "up",
    ]);
  },
);

test("behavior 26.118: a change says nothing about the latency, and is said beside the end of a certificate", () => {
  const settled = Array.from({ length: 12 }, () => a);
  const slow = (of: typeof a) => ({ ...of, latencyMs: 200 });
  const states = walked([...settled, b, slow(a), a]);
  expect(states.slice(-3).map(({ state }) => state.status)).toEqual(["degraded", "degraded", "up"]);
  expect(states.at(-2)?.result?.detail).not.toHaveProperty("reason");

  const tls = { protocol: "TLSv1.3", cipher: "A", advice: [], validTo: "2020-01-01T00:00:00.000Z" };
  const config = { ...CONFIG, expiryWarning: 14 };
  const [, both] = walked([a, { ...b, tls }] as Evidence[], { config });
  expect(both?.result?.detail).toMatchObject({
    reason: "changed",
    message:
      "the visible text changed: it has 90 characters instead of 100; the certificate expired on 2020-01-01",
  });
  const late = {
    slowBy: 5,
    detail: { statusCode: 200, message: "the answer took 105 ms, expected at most 100 ms" },
  };
  const [, slower] = walked([a, { ...b, ...late }]);
  expect(slower?.result?.detail?.message).toEndWith(
    "instead of 100; the answer took 105 ms, expected at most 100 ms",
  );
});

test("behavior 26.119: the values of all addresses are usual, and another one at one of them is a change", () => {
  const config = { ...CONFIG, everyAddress: true };
  const all = (...of: (typeof a)[]) => byAddress(of);
  const failed = byAddress([a, down as never]);
  const states = walked([all(a, b), all(b, a), all(a, c)], { config });
  expect(states.map(({ state }) => state.status)).toEqual(["up", "up", "degraded"]);
  expect(states[2]?.result?.detail).toMatchObject({
    reason: "changed",
    addresses: [{ seen: "up" }, { seen: "up" }],
  });
  const partial = walked([failed, all(a, b), all(c, a)], { config });
  expect(partial.map(({ state }) => state.status)).toEqual(["degraded", "up", "degraded"]);
  const [, both] = walked([all(a, a), byAddress([c, down as never])], { config });
  expect(both?.result?.detail?.message).toBe(
    "the visible text changed: it has 80 characters instead of 100; 1 of 2 addresses fails: 192.0.2.2: no answer within 10 s",
  );
});

test("behavior 26.120: a monitor that watches something else takes its first value as usual, and forgets the previous content", () => {
  const judge = (config: object, evidence: Evidence, memory: Memory | null = null) =>
    judgeCheck({ type: "HTTP", config: config as MonitorConfig, memory }, evidence, START);
  const { memory } = judge(CONFIG, a);
  const statusAfter = (change: object) => judge({ ...CONFIG, ...change }, b, memory).status;
  expect(statusAfter({ interval: 30, headers: { a: "b" }, redirects: 3 })).toBe("degraded");
  expect(statusAfter({ expect: { same: { of: "text", keepDays: 3 }, contains: "a" } })).toBe("degraded");
  for (const other of [{ expect: { same: "body" } }, { url: "https://a.example/b" }, { method: "POST" }])
    expect(statusAfter(other)).toBe("up");
  const { expect: _, ...without } = CONFIG;
  expect(judge(without, b, memory).memory).toBeNull();
  expect(judge(without, b, judge(CONFIG, { ...a, told: [] }, { fingerprint: "f" }).memory).memory).toEqual({
    fingerprint: "f",
  });
});

test("behavior 26.110, 26.118: the config and the message of the documentation are right", async () => {
  const { blocks, code } = await readPage("docs/monitors.md");
  const example = blocks.find((block) => block.text.includes('"same"'))?.text ?? "";
  const config = parseConfig("HTTP", JSON.parse(example), "enterprise");
  const [, states] = walked([saw("a", 4101), saw("b", 312)], { config });
  expect(code).toContain(String(states?.result?.detail?.message));
});

test("behavior 26.121: nothing is written while the content stays", () => {
  const [, second, third] = walked([a, a, a]);
  expect(third?.state.memory).toBe(second?.state.memory as object);
});

test("behavior 26.111: each step has a content of its own", () => {
  const step = { url: "https://a.example/", expect: { same: "text" } };
  const config = { interval: 60, steps: [step, { ...step, name: "Cart" }] };
  const both = (...digests: string[]) =>
    saw("", 0, { contents: digests.map((digest) => ({ digest, length: 5 })) });
  const states = walked([both("a", "b"), both("a", "b"), both("a", "a"), both("b", "b")], { config });
  expect(states.map(({ state }) => state.status)).toEqual(["up", "up", "degraded", "degraded"]);
  expect(states.map(({ result }) => result?.detail?.message)).toEqual([
    ...[undefined, undefined],
    "Cart: the visible text changed: it still has 5 characters",
    "step 1: the visible text changed: it still has 5 characters",
  ]);
});

/** The state of a monitor that somebody acknowledged: see `acceptSeen`. */
function acknowledged(subject: RecordingSubject, at: number): RecordingSubject {
  const { outage, memory } = subject.state;
  if (!outage || !memory) throw new Error("nothing to acknowledge");
  const state = { ...subject.state, memory: acceptContents(memory, outage.startedAt) };
  return {
    ...subject,
    state: { ...state, outage: { ...outage, acknowledged: { at, by: "Ada", note: null } } },
  };
}

/** Checks once a minute, and acknowledgements between them. */
function walkedWithPeople(steps: (Evidence | "acknowledge")[], numbers: Partial<Confirmation> = {}) {
  let subject: RecordingSubject = placed({ config: CONFIG as MonitorConfig<"HTTP">, ...numbers });
  subject = { ...subject, places: null, state: { ...subject.state, places: null } };
  return steps.flatMap((step, count) => {
    const at = START + count * 60_000;
    if (step === "acknowledge") {
      subject = acknowledged(subject, at);
      return [];
    }
    const plan = planRecording(new Map([["m", subject]]), [
      { kind: "check", monitorId: "m", revision: 0, evidence: step, at },
    ]);
    subject = { ...subject, state: plan.states.get("m") ?? subject.state };
    const kinds = plan.outages.map(({ kind }) => kind).join();
    return [`${subject.state.status} ${plan.transitions.length} ${kinds}`.trim()];
  });
}

test("behavior 26.115: after an acknowledgement the new page is usual, and the monitor is up", () => {
  expect(walkedWithPeople([a, b, "acknowledge", b, a, b])).toEqual([
    "up 0",
    "degraded 1 opened",
    "up 1 closed",
    "up 0",
    "up 0",
  ]);
  // Also if another trouble came before the next check.
  expect(walkedWithPeople([a, b, "acknowledge", down, b]).at(-1)).toStartWith("up");
});

test("behavior 26.122: a page that changes after an acknowledgement is another outage, with a notification", () => {
  const changes = [a, b, "acknowledge", c, c, "acknowledge", c] as const;
  expect(walkedWithPeople([...changes])).toEqual([
    "up 0",
    "degraded 1 opened",
    "degraded 1 closed,opened",
    "degraded 0",
    "up 1 closed",
  ]);
  // Before an acknowledgement, it is the same outage.
  expect(walkedWithPeople([a, b, c])).toEqual(["up 0", "degraded 1 opened", "degraded 0"]);
});

test("behavior 26.122: a page that changes while its monitor is slow is another outage, once", () => {
  const slow = (of: typeof a) => ({ ...of, slowBy: 10 });
  const changes = [a, slow(a), slow(b), slow(b), slow(a), slow(b), slow(c), a];
  expect(walkedWithPeople(changes)).toEqual([
    ...["up 0", "degraded 1 opened", "degraded 1 closed,opened", "degraded 0", "degraded 0", "degraded 0"],
    ...["degraded 0", "up 1 closed"],
  ]);
});

test("behavior 26.122: with locations, as many must see the change as see any trouble", () => {
  let subject: RecordingSubject = placed({ config: CONFIG as MonitorConfig<"HTTP"> });
  const check = (location: number, evidence: Evidence, at: number) => {
    const event = {
      kind: "check",
      monitorId: "m",
      revision: 0,
      evidence,
      at: START + at * 1000,
      location,
    } as const;
    const plan = planRecording(new Map([["m", subject]]), [event]);
    subject = { ...subject, state: plan.states.get("m") ?? subject.state };
    return `${subject.state.status} ${plan.transitions.length} ${plan.outages.map(({ kind }) => kind).join()}`.trim();
  };
  for (const location of [0, 1, 2]) check(location, location === 2 ? c : a, location);
  expect([check(0, b, 60), check(1, a, 61), check(2, c, 62)]).toEqual(["up 0", "up 0", "up 0"]);
  expect(check(1, b, 121)).toBe("degraded 1 opened");
  const { outage, places } = subject.state;
  const accepted = [...(places ?? [])].map(
    ([id, one]) => [id, { ...one, memory: one.memory && acceptContents(one.memory, START) }] as const,
  );
  const state = { ...subject.state, places: new Map(accepted) };
  if (outage) state.outage = { ...outage, acknowledged: { at: START, by: "Ada", note: null } };
  subject = { ...subject, state };
  const other = saw("d", 70);
  // The latest check of the second location still counts as a change.
  expect(check(0, other, 180)).toBe("degraded 1 closed,opened");
  expect(check(1, other, 181)).toBe("degraded 0");
});
