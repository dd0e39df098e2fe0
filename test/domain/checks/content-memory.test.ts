import { expect, test } from "bun:test";
import {
  acceptContent,
  type ContentMemory,
  type ContentRules,
  describeChange,
  judgeContent,
  keyOf,
  type SeenContent,
} from "../../../src/domain/checks/content-memory.ts";
import { DAY, HOUR, MINUTE } from "../../../src/domain/duration.ts";

const START = Date.UTC(2026, 0, 1);
const value = (digest: string, length: number | null = 10): SeenContent => ({ digest, length });
const [A, B, C] = [value("a"), value("b", 20), value("c", 30)];
const MISSING = value("missing", null);
const WATCH = { key: "k", keepDays: 7 };

/** The judgement of each check: `.` usual, `!` new. @param checks values, with the time since the start before them */
function walk(checks: readonly (SeenContent | SeenContent[] | number | "ack" | "window")[], watch = WATCH) {
  let memory: ContentMemory | undefined;
  let [now, learns, course] = [START, false, ""];
  for (const check of checks) {
    if (typeof check === "number") now = START + check;
    else if (check === "window") learns = !learns;
    else if (check === "ack") memory = memory && acceptContent(memory, now);
    else {
      const judged = judgeContent(memory, watch, [check].flat(), { now, learns, isWhole: true });
      memory = judged.memory;
      course += judged.changed ? "!" : ".";
      now += MINUTE;
    }
  }
  return course;
}

test("behavior 26.113: a value that no check has seen is new until it has been seen for keepDays", () => {
  expect(walk([A, A, B, B, 7 * DAY, B, 7 * DAY + 2 * MINUTE, B, B])).toBe("..!!!..");
  expect(walk([A, B, 7 * DAY + MINUTE - 1, B, B], { key: "k", keepDays: 7 })).toBe(".!!.");
  expect(walk([A, B, DAY + MINUTE, B, B], { key: "k", keepDays: 1 })).toBe(".!..");
});

test("behavior 26.113: a known value is usual again at once, and a new one that returns is still new", () => {
  expect(walk([A, B, A, A, B, A])).toBe(".!..!.");
  expect(walk([A, B, A, B, C, A])).toBe(".!.!!.");
});

test("behavior 26.113: a value that no check of the last keepDays has seen is new again", () => {
  const replaced = [A, B, "ack", B, 3 * DAY, B] as const;
  expect(walk([...replaced, 6 * DAY, A])).toBe(".!...");
  expect(walk([...replaced, 7 * DAY + HOUR, B, A])).toBe(".!...!");
});

test("behavior 26.113: a new value that is gone for keepDays is forgotten, so that its days count from the beginning", () => {
  expect(walk([A, B, A, 5 * DAY, A, 8 * DAY, B, 9 * DAY, B, 15 * DAY, B])).toBe(".!..!!.");
});

test("behavior 26.114: after a pause that is longer than keepDays, the page before it is usual, and another one is not", () => {
  expect(walk([A, 30 * DAY, A])).toBe("..");
  expect(walk([A, 30 * DAY, B])).toBe(".!");
  expect(walk([A, B, 30 * DAY, B])).toBe(".!!");
  expect(walk([A, B, 30 * DAY, A])).toBe(".!.");
});

test("behavior 26.115: an acknowledgement makes the new value usual that was seen last", () => {
  expect(walk([A, B, "ack", B, A, B])).toBe(".!...");
  expect(walk([A, B, C, "ack", C, B])).toBe(".!!.!");
  // With `recoveries`, the outage still lasts.
  expect(judgeAfterAck(START)).toBe("usual");
});

test("behavior 26.115: an acknowledgement of a later outage says nothing about a value that is gone", () => {
  expect(judgeAfterAck(START + 5 * MINUTE)).toBe("new");
});

/** B is seen after the start and gone again. @param startedAt of the outage that is acknowledged */
function judgeAfterAck(startedAt: number): "usual" | "new" {
  let memory: ContentMemory | undefined;
  const rules = { learns: false, isWhole: true };
  for (const [minutes, seen] of [A, B, A].entries())
    memory = judgeContent(memory, WATCH, [seen], { ...rules, now: START + minutes * MINUTE }).memory;
  if (!memory) throw new Error("nothing is remembered");
  const after = acceptContent(memory, startedAt);
  return judgeContent(after, WATCH, [B], { ...rules, now: START + HOUR }).changed ? "new" : "usual";
}

test("behavior 26.116: a maintenance makes every value usual", () => {
  expect(walk([A, "window", B, C, "window", B, C, A])).toBe("......");
  expect(walk([A, B, "window", B, "window", B])).toBe(".!..");
});

test("behavior 26.117: what is missing is new at first too, and the first value after it is usual", () => {
  expect(walk([MISSING, MISSING, A, MISSING, A])).toBe("!!.!.");
  expect(walk([MISSING, "ack", MISSING, A])).toBe("!.!");
  expect(walk(["window", MISSING, "window", MISSING])).toBe("..");
});

test("behavior 26.119: the values of all addresses are usual after the first check that reaches all of them", () => {
  expect(walk([[A, B], [B, A], A, B, [A, C], [A, B]])).toBe("....!.");
  const rules: ContentRules = { now: START, learns: false, isWhole: false };
  const partial = judgeContent(undefined, WATCH, [A], rules);
  expect(partial).toEqual({ memory: undefined, isNews: false });
  expect(judgeContent(undefined, WATCH, [A], { ...rules, learns: true }).memory?.values).toHaveLength(1);
  const { memory } = judgeContent(undefined, WATCH, [A, B], { ...rules, isWhole: true });
  expect(judgeContent(memory, WATCH, [C], rules).changed).toMatchObject(C);
});

test("behavior 26.120: after the clock was set, the present page is usual and a new value is new", () => {
  expect(walk([30 * DAY, A, B, 0, B, A, 8 * DAY, B])).toBe(".!!.!");
  expect(walk([A, 400 * DAY, A, B])).toBe("..!");
  // The days of a new value count from the time that was set.
  expect(walk([30 * DAY, A, B, 0, A, B, 3 * DAY, B, 7 * DAY + 2 * MINUTE, B])).toBe(".!.!!.");
});

test("behavior 26.121: the memory is written only if the content changes, or an hour has passed", () => {
  const rules = { learns: false, isWhole: true };
  const judge = (memory: ContentMemory | undefined, seen: SeenContent, now: number) =>
    judgeContent(memory, WATCH, [seen], { ...rules, now }).memory;
  const first = judge(undefined, A, START);
  expect(judge(first, A, START + HOUR - 1)).toBe(first);
  const refreshed = judge(first, A, START + HOUR);
  expect(refreshed?.values).toEqual([{ ...A, last: START + HOUR }]);
  const changed = judge(refreshed, B, START + HOUR + 1);
  expect(changed?.values).toHaveLength(2);
  expect(judge(changed, B, START + HOUR + 2)).toBe(changed);
});

test("behavior 26.121: of a content that is another one at each check, the memory is bounded and keeps what is usual", () => {
  let memory: ContentMemory | undefined;
  for (let count = 0; count < 500; count++) {
    const seen = count === 1 ? A : value(`value ${count}`);
    const rules = { now: START + count * MINUTE, learns: count < 2, isWhole: true };
    memory = judgeContent(memory, WATCH, [seen], rules).memory;
  }
  expect(memory?.values).toHaveLength(50);
  const later = { now: START + DAY, learns: false, isWhole: true };
  expect(judgeContent(memory, WATCH, [A], later).changed).toBeUndefined();
  expect(judgeContent(memory, WATCH, [value("value 499")], later).changed).toBeDefined();
  expect(JSON.stringify(memory).length).toBeLessThan(5000);
});

test("behavior 26.122: only the first check that sees a new value after usual ones is news", () => {
  let memory: ContentMemory | undefined;
  const news = [A, B, B, A, B, C, A, value("d")].map((seen, minutes) => {
    const rules = { now: START + minutes * MINUTE, learns: false, isWhole: true };
    const judged = judgeContent(memory, WATCH, [seen], rules);
    memory = judged.memory;
    return judged.isNews;
  });
  expect(news).toEqual([false, true, false, false, false, false, false, true]);
});

test.each([
  ["body", B, A, "the body changed: it has 20 bytes instead of 10"],
  [
    "text",
    value("x", 1200),
    value("y", 1_048_576),
    "the visible text changed: it has 1,200 characters instead of 1,048,576",
  ],
  ["json:$.a['b:c']", B, A, "$.a['b:c'] changed: it has 20 characters instead of 10"],
  ["header:X-Version", value("x"), A, "the header X-Version changed: it still has 10 characters"],
  ["header:X-Version", MISSING, A, "the header X-Version is missing, where it had 10 characters"],
  ["header:X-Version", MISSING, undefined, "the header X-Version is missing"],
  ["header:X-Version", A, MISSING, "the header X-Version is no longer missing: it has 10 characters"],
  ["json:$.a", value("not_json", null), undefined, "$.a can't be read: the body is not JSON"],
  [
    "json:$.a",
    value("too_large", null),
    A,
    "$.a can't be read: the body is larger than 1 MiB, where it had 10 characters",
  ],
])("behavior 26.118: the message about %s from %j to %j has lengths only", (of, seen, usual, message) => {
  expect(describeChange({ of }, seen, usual)).toBe(message);
  expect(describeChange({ of, step: "Cart" }, seen, usual)).toBe(`Cart: ${message}`);
});

test("behavior 26.120: another watched part, or another page, is another content", () => {
  const keys = [keyOf("body", "a"), keyOf("text", "a"), keyOf("body", "b")];
  expect(new Set(keys).size).toBe(3);
  expect(keyOf("body", "a")).toBe(keys[0] ?? "");
});
