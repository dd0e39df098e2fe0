import { expect, test } from "bun:test";
import type { Detail } from "../../../src/domain/checks/observation.ts";
import { describeRun } from "../../../src/domain/heartbeats/run-words.ts";

const run = { id: "7", startedAt: "2027-01-04T00:00:00.000Z", durationMs: 492_000 };

const described: [boolean, Detail | null, string | undefined][] = [
  [true, null, undefined],
  [false, {}, undefined],
  [true, { run }, "The job reported success after 8 min 12 s"],
  [false, { run }, "The job reported a failure after 8 min 12 s"],
  [false, { exitCode: 3 }, "The job ended with exit code 3"],
  [false, { exitCode: 3, run }, "The job ended with exit code 3 after 8 min 12 s"],
  [false, { reason: "overrun" }, "A run of the job takes longer than its limit"],
  [false, { reason: "overlap" }, "A run of the job started while another one was open"],
];

test.each(described)("the result of a job that is ok: %p with %j is %p", (isOk, detail, words) => {
  expect(describeRun(isOk, detail)).toBe(words);
});
