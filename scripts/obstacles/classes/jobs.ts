import { type Change, course, type Monitor, type Scenario, type Truth } from "../scenario.ts";
import { all, nothing } from "../world/changes.ts";
import { checksIn, dies, runs } from "../world/jobs.ts";

/** Seconds: the shortest that a job may have. */
const PERIOD = 10;
const GRACE = 2;
const ONE_MORE = { confirmations: 1 };
const OK: Truth = { status: "ok", within: 0 };
const FAILED: Truth = { status: "failed", within: 0 };
/** Counted from the last check-in at the latest. */
const LATE: Truth = { status: "havent_heard", within: PERIOD + GRACE };
const FAIL = "?status=fail";

/** Jobs that check in late, never, or with a failure. */
export const jobs: Scenario[] = [
  course("job-on-time", "the job checks in every 8 s", job(), [
    [runs(8), OK, { lasts: 1 }],
    [runs(8), OK, { lasts: 30 }],
  ]),
  course("job-in-grace", "the job checks in every 11 s, within its grace", job(), [
    [runs(11), OK, { lasts: 1 }],
    [runs(11), OK, { lasts: 35 }],
  ]),
  course("job-never", "the job never checks in", job(), [[nothing, { status: "unknown" }, { lasts: 16 }]]),
  course("job-dies", "the job dies, and runs again", job(), [
    [runs(4), OK, { lasts: 5 }],
    [dies(), LATE],
    [runs(4), OK],
  ]),
  course("job-late", "each run is 3 s late, beyond the grace", job(), [
    [runs(4), OK, { lasts: 5 }],
    [runs(15), { ...LATE, also: ["ok"] }, { lasts: 17 }],
    [runs(4), OK],
  ]),
  course("job-fails", "the job reports a failure, and then a success", job(), [
    [checksIn(), OK, { lasts: 3 }],
    [checksIn(FAIL), FAILED],
    [checksIn(), OK],
  ]),
  course("job-fails-first", "the first check-in is a failure", job(), [
    [checksIn(FAIL), FAILED],
    [checksIn(), OK],
  ]),
  course("job-head", "check-ins are HEAD requests", job(), [
    [checksIn("", "HEAD"), OK, { lasts: 3 }],
    [checksIn(FAIL, "HEAD"), FAILED],
    [checksIn("", "HEAD"), OK],
  ]),
  course("job-second-chance", "one failure, and then two in a row, with one confirmation", job(ONE_MORE), [
    [checksIn(), OK, { lasts: 3 }],
    [checksIn(FAIL), { ...OK, sees: ["failed"] }, { lasts: 3 }],
    [checksIn(), OK, { lasts: 3 }],
    [all(checksIn(FAIL), later(checksIn(FAIL), 1)), { ...FAILED, within: 1, sees: ["ok"] }],
    [checksIn(), OK],
  ]),
];

function job(more: Partial<Monitor> = {}): () => Monitor {
  return () => ({ type: "SCHEDULED", config: { period: PERIOD, grace: GRACE }, ...more });
}

function later(change: Change, seconds: number): Change {
  return (spot) => void setTimeout(() => change(spot), seconds * 1000);
}
