import { describe, expect, test } from "bun:test";
import { describeTransition } from "../../src/alerts/message.ts";
import { reasonOf } from "../../src/alerts/reason.ts";
import { durationWords, latencyWords, timeWords } from "../../src/alerts/time-words.ts";
import type { Transition } from "../../src/domain/alerts/delivery.ts";
import type { Status } from "../../src/domain/monitors/status.ts";
import { AT, degraded, down, examples, heartbeat, recovery } from "../support/transitions.ts";

const DAY = 24 * 60 * 60 * 1000;

test.each(Object.entries(examples))("%s is told in words", (_, transition) => {
  expect(describeTransition(transition, "https://up.example.com")).toMatchSnapshot();
});

test("a change within the trouble tells when the trouble began", () => {
  const worse: Transition = { ...down, previousStatus: "degraded", troubleSince: AT - 60_000 };
  expect(describeTransition(worse, "").facts).toContainEqual({
    label: "In trouble since",
    value: "2026-11-21 14:29:05 UTC",
  });
});

test("what is not known is left out", () => {
  const { since: _, troubleSince: __, lastGoodLatencyMs: ___, ...bare } = down;
  const labels = describeTransition(bare, "").facts.map(({ label }) => label);
  expect(labels).toEqual(["Status", "Since", "Check"]);
});

describe("the reason", () => {
  test.each<[string, object | null, string]>([
    ["down", { reason: "refused", address: "::1" }, "The connection was refused by ::1."],
    ["down", { reason: "timeout", message: "no answer within 10 s" }, "No answer within 10 s."],
    [
      "down",
      { reason: "dns_not_found", message: "a.test has no address in the DNS" },
      "a.test has no address in the DNS.",
    ],
    ["down", null, "It could not be reached."],
    ["failed", null, "The job has reported a failure."],
    ["ok", null, "The job has reported success."],
    ["havent_heard", null, "No checkin came when one was due."],
    ["active", { validTo: iso(90) }, "The certificate is good: it ends on 2027-02-19, in 90 d."],
    ["expiring_soon", { validTo: iso(10) }, "The certificate expires soon: it ends on 2026-12-01, in 10 d."],
    ["expired", { validTo: iso(-3) }, "The certificate ended on 2026-11-18, 3 d ago."],
    ["expired", { validFrom: iso(2), validTo: iso(90) }, "The certificate is not valid before 2026-11-23."],
    ["expired", {}, "The certificate has expired."],
    ["no_cert", { reason: "refused" }, "No certificate could be had: the connection was refused."],
    [
      "missing",
      { reason: "nxdomain", message: "a.test does not exist in the DNS (NXDOMAIN)" },
      "a.test does not exist in the DNS (NXDOMAIN).",
    ],
    [
      "changed",
      { added: ["192.0.2.1"], gone: ["192.0.2.2", "192.0.2.3"] },
      "The DNS answers with other records. new: 192.0.2.1; gone: 192.0.2.2, 192.0.2.3.",
    ],
    [
      "changed",
      { added: Array.from({ length: 12 }, (_, at) => `v${at}`) },
      "The DNS answers with other records. new: v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, 2 more.",
    ],
    [
      "changed",
      { added: ["v0", "v1"], gone: [], omitted: { added: 2980, gone: 1 } },
      "The DNS answers with other records. new: v0, v1, 2980 more; gone: 1 more.",
    ],
    ["present", {}, "The DNS has records of it, and none that is new."],
    ["something_else", {}, "The status is now something_else."],
  ])("of %s with %j", (status, detail, reason) => {
    const result = { ...down.result, detail: detail && { ...detail } };
    expect(reasonOf({ ...down, status: status as Status, result })).toBe(reason);
  });

  test("of slowness tells how fast it was before", () => {
    expect(reasonOf(degraded)).toBe("It answers in 1812 ms, after 42 ms before: much slower than usual.");
    expect(reasonOf({ ...recovery, previousStatus: "degraded" })).toBe("It answers as fast as usual.");
  });

  test("of a heartbeat is the message of the result, where there is one", () => {
    const result = { ...heartbeat.result, detail: { message: "no checkin for 25 h" } };
    expect(reasonOf({ ...heartbeat, result })).toBe("No checkin for 25 h.");
  });
});

test.each([
  [0, "less than a second"],
  [999, "less than a second"],
  [59_999, "59 s"],
  [3_600_000, "1 h"],
  [3_660_000, "1 h 1 min"],
  [DAY * 3 + 3_600_000 * 5 + 60_000, "3 d 5 h"],
])("%d ms last %s", (length, words) => {
  expect(durationWords(length)).toBe(words);
});

test("times are in UTC, latencies as exact as they matter", () => {
  expect(timeWords(AT)).toBe("2026-11-21 14:30:05 UTC");
  expect([0.4312, 9.99, 41.7, 1812.4].map(latencyWords)).toEqual(["0.4 ms", "10.0 ms", "42 ms", "1812 ms"]);
});

/** @param days from the transition */
function iso(days: number): string {
  return new Date(AT + days * DAY).toISOString();
}
