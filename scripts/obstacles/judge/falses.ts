import type { Truth } from "../scenario.ts";
import { isHealthy, timeoutOf } from "./latest.ts";
import type { Recorded, Run, Said, Span, Watched } from "./run.ts";
import { describe, whenOf } from "./words.ts";

/** Time stamps of several processes, and the work of a check beside its timeout; milliseconds. */
const EDGE = 200;

/** A listener that ends resets the connections that it did not accept yet, and closes the others. */
const ENDS_OF_LISTENERS = ["closed", "reset"];

type Known = Required<Pick<Run, "spans" | "stalls">>;

/** Statements about a monitor, or in its history, that were not true, in words. */
export function falsesOf({ spans, stalls }: Known, watched: Watched): string[] {
  const isSlow = ({ seen, at }: Claim) =>
    seen.status === "degraded" &&
    stalls.some(({ from, to }) => from < at && to > at - timeoutOf(watched.monitor) - EDGE);
  const isFalse = (claim: Claim) => !isTrue(spans, watched, claim) && !isSlow(claim);
  return [
    ...watched.said
      .filter((one) => isFalse({ seen: one, at: one.checkedAt, isSaid: true }))
      .map((one) => `said ${describe(one)} ${whenOf(spans, one.checkedAt)}`),
    ...repeatsOf(watched.said).map((one) => `said ${describe(one)} twice ${whenOf(spans, one.at)}`),
    ...(watched.results ?? [])
      .map((result) => ({ seen: result.seen ?? result, at: result.createdAt, isSaid: !result.seen }))
      .filter(isFalse)
      .map(({ seen, at }) => `recorded ${describe(seen)} ${whenOf(spans, at)}`),
    ...wrongAdvice(watched),
  ];
}

type Seen = Pick<Recorded, "status" | "reason">;

/** @property at the end of the check @property isSaid whether it is the status of the monitor, and not only what a check saw */
interface Claim {
  seen: Seen;
  at: number;
  isSaid: boolean;
}

/** Whether something was true in a stage that the check may have seen. */
function isTrue(spans: Span[], { monitor, truths }: Watched, { seen, at: end, isSaid }: Claim): boolean {
  const begin = end - timeoutOf(monitor) - EDGE;
  return truths.some((truth, at) => {
    const [span, next] = [spans[at], spans[at + 1]];
    if (!span || span.begin > end + EDGE || (next && next.settled < begin)) return false;
    const meetsChange = at > 0 && end <= span.settled + EDGE;
    return isTrueIn(meetsChange ? withEnds(truth) : truth, seen, isSaid);
  });
}

/** A truth as a check sees it that was under way when the target changed. */
function withEnds({ reasons, ...truth }: Truth): Truth {
  return { ...truth, ...(reasons && { reasons: [...reasons, ...ENDS_OF_LISTENERS] }) };
}

function isTrueIn(
  { status, also = [], sees = [], reasons, isUnseen }: Truth,
  seen: Seen,
  isSaid: boolean,
): boolean {
  const all = [status, ...also, ...(isSaid ? [] : sees)];
  if (isUnseen || !all.some((one) => one === seen.status)) return false;
  return isHealthy(seen.status) || !reasons || reasons.includes(seen.reason ?? "");
}

/** A status that was the last one already, apart from the same notification that is sent again. */
function repeatsOf(said: Said[]): Said[] {
  return said.filter((one, at) => {
    const before = said[at - 1];
    return before !== undefined && before.status === one.status && before.id !== one.id;
  });
}

function wrongAdvice({ truths, advice }: Watched): string[] {
  const wanted = truths.at(-1)?.advice;
  if (!wanted || String(wanted) === String(advice)) return [];
  return [`advised ${advice.join(", ") || "nothing"} instead of ${wanted.join(", ") || "nothing"}`];
}
