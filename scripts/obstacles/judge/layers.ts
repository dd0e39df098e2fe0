import type { Layer } from "../../../src/domain/evidence/evidence.ts";
import type { Truth } from "../scenario.ts";
import { isHealthy, rank, timeoutOf } from "./latest.ts";
import type { Run, Span, Watched } from "./run.ts";
import { describe, whenOf } from "./words.ts";

/** Time stamps of several processes, and the work of a check beside its timeout; milliseconds. */
const EDGE = 200;

/** A listener that ends resets the connections that it did not accept yet, and closes the others. */
const OF_ENDS: readonly Layer[] = ["port", "protocol", "tls"];

/** The layers that the evidence of a monitor names, compared with the world. */
export interface Blame {
  /** How much evidence names a layer in which the world broke the target. */
  right: number;
  /** Evidence that names no layer, where the world has one, and stages without evidence, in words. */
  unknown: string[];
  /** Evidence that names a layer in which nothing was broken, in words. */
  wrong: string[];
  /** The sizes of stored facts. */
  bytes: number[];
}

export function noBlame(): Blame {
  return { right: 0, unknown: [], wrong: [], bytes: [] };
}

/** Compares the evidence of a monitor with what the world did to its target. */
export function blameOf({ spans, stalls = [] }: Run, watched: Watched): Blame {
  const blame = noBlame();
  const { monitor, truths, evidence } = watched;
  if (!evidence || monitor.type === "SCHEDULED") return blame;
  const isStalled = (at: number) =>
    stalls.some(({ from, to }) => from < at && to > at - timeoutOf(monitor) - EDGE);
  for (const one of evidence) {
    const layers = layersAt(spans, watched, one.at);
    const said = `${one.layer} (${one.summary}) for ${describe(one)} ${whenOf(spans, one.at)}`;
    if (one.bytes !== null) blame.bytes.push(one.bytes);
    if (layers.has(one.layer)) blame.right++;
    else if (one.layer === "unknown" && layers.size > 0) blame.unknown.push(said);
    else if (one.status !== "degraded" || !isStalled(one.at))
      blame.wrong.push(`${said}, instead of ${[...layers].join(", ") || "nothing"}`);
  }
  for (const [at, truth] of truths.entries()) {
    if (!mustBeExplained(truth, truths[at - 1])) continue;
    const [begin, end] = [(spans[at]?.begin ?? 0) - EDGE, (spans[at]?.end ?? 0) + EDGE];
    if (!evidence.some((one) => one.at >= begin && one.at <= end))
      blame.unknown.push(`nothing for ${truth.status} of stage ${at + 1}`);
  }
  return blame;
}

/** The layers that were broken in a stage which a check may have seen. @param end of the check */
function layersAt(spans: Span[], { monitor, truths }: Watched, end: number): Set<string> {
  const begin = end - timeoutOf(monitor) - EDGE;
  const layers = truths.flatMap((truth, at): readonly Layer[] => {
    const [span, next] = [spans[at], spans[at + 1]];
    if (!span || span.begin > end + EDGE || (next && next.settled < begin) || truth.isUnseen) return [];
    const meetsChange = at > 0 && end <= span.settled + EDGE && !isHealthy(truth.status);
    return [...(truth.layers ?? []), ...(meetsChange ? OF_ENDS : [])];
  });
  return new Set(layers);
}

/** Whether a stage makes the status worse, which always gives evidence. */
function mustBeExplained(truth: Truth, before: Truth | undefined): boolean {
  if (truth.isUnseen || truth.mayWait || before?.isUnseen || before?.mayWait) return false;
  return rank(truth.status) > (before ? rank(before.status) : 0);
}
