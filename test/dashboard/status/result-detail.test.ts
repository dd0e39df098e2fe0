import { expect, test } from "bun:test";
import {
  describeBriefly,
  describeDetail,
  describeMessage,
  describeRest,
  listOfAll,
  locationOf,
} from "../../../src/dashboard/web/status/result-detail.ts";

test.each([
  [{ reason: "refused", message: "127.0.0.1:80 refuses connections" }, "Connection refused"],
  [
    { reason: "unexpected", message: "500 Internal Server Error, expected 2xx" },
    "500 Internal Server Error, expected 2xx",
  ],
  [{ reason: "unexpected" }, "Not as expected"],
  [
    { reason: "expires_soon", message: "the certificate expires in 3 days" },
    "the certificate expires in 3 days",
  ],
])("behavior 16.213: %p is briefly %p", (detail, brief) => {
  expect(describeBriefly(detail)).toBe(brief);
});

test("a list that the server cut ends with the number of missing entries", () => {
  const detail = { names: ["a.example", "b.example"], omitted: { names: 2480 } };
  expect(listOfAll(detail, "names")).toBe("a.example, b.example, and 2,480 more");
  expect(listOfAll({ names: ["a.example"] }, "names")).toBe("a.example");
  expect(describeRest({ gone: [], omitted: { gone: 5 } }, "gone")).toBe("5 more");
});

test("a reason counts the records that it does not name", () => {
  const detail = { values: ["192.0.2.1"], added: ["192.0.2.1"], gone: [], omitted: { added: 3, gone: 5 } };
  expect(describeDetail(detail)).toBe("new: 192.0.2.1, and 3 more; gone: 5 more");
});

test("a result that waits for confirmation says what its check saw", () => {
  expect(
    describeDetail({ seen: { status: "down", reason: "timeout", message: "no answer within 10 s" } }),
  ).toBe("Not confirmed: Down: no answer within 10 s");
  expect(describeDetail({ seen: { status: "degraded" } })).toBe("Not confirmed: Degraded");
});

test("behavior 13.67: a result from a location says what the location saw, if that is not the status", () => {
  const seen = { status: "down", message: "no answer within 10 s" };
  expect(describeDetail({ location: "fra", seen })).toBe("fra saw: Down: no answer within 10 s");
  expect(describeDetail({ location: "fra", message: "no answer within 10 s" })).toBe("no answer within 10 s");
  expect([locationOf({ location: "fra" }), locationOf({ seen }), locationOf(null)]).toEqual(["fra", "", ""]);
});

const run = { id: "7", startedAt: "2026-11-27T03:00:00.000Z", durationMs: 492_495 };

test.each([
  [{ reason: "overrun" }, "Runs for longer than its limit"],
  [{ reason: "overlap" }, "Started while another run was open"],
  [{ exitCode: 3, run }, "Exit code 3, after 8 min 12 s"],
  [{ exitCode: 3 }, "Exit code 3"],
  [{ run }, "Ran for 8 min 12 s"],
  [{ run: { ...run, durationMs: 412 } }, "Ran for 412 ms"],
])("behavior 18.66: %j of a job is %p", (detail, words) => {
  expect([describeDetail(detail), describeBriefly(detail)]).toEqual([words, words]);
});

test("behavior 27.19: readers of English get only the message", () => {
  expect(describeMessage({ reason: "timeout", message: "no answer within 10 s" }, "en")).toBe(
    "no answer within 10 s",
  );
});

test.each([
  [{ reason: "timeout", message: "no answer within 10 s" }, "No answer in time: no answer within 10 s"],
  [{ reason: "from_the_future", message: "no answer within 10 s" }, "no answer within 10 s"],
  [{ message: "no space left" }, "no space left"],
  [{ reason: "timeout" }, undefined],
])("behavior 27.19: readers of another language than English get %j as %p", (detail, words) => {
  expect(describeMessage(detail, "de")).toBe(words as string);
});
