import type { RunReport } from "../../domain/heartbeats/job-runs.ts";
import { MAX_OUTPUT, outputOf } from "../../domain/heartbeats/run-output.ts";
import type { Recorded } from "../../domain/monitors/recording-plan.ts";
import { invalid, StorageFault, tooMany } from "../../errors.ts";
import { createRateLimit } from "../../runner/rate-limit.ts";
import { queryOf } from "../http/errors.ts";
import { dropBody } from "../http/request-body.ts";
import type { Services } from "../http/services.ts";

/** The content of a request of a job. @property status of a check-in, see `judgeCheckin` */
export type JobRequest =
  | { kind: "checkin"; status: string | undefined; report?: RunReport }
  | { kind: "start" | "log"; report: RunReport };

/** Behavior 8.17: enough for 3,000 machines that share one URL and call it every minute. */
const RATE = { burst: 3000, perSecond: 50 };

/**
 * Records what jobs report, each URL at most at `RATE`. The rate limit precedes the search for the monitor.
 *
 * @param findMonitor the ID of the monitor of a URL; by default the URL contains it
 * @returns a function that throws an AppError `too_many`, and returns null if there is no such SCHEDULED monitor
 */
export function createRecord(
  { clock, recorder, heartbeats, metrics }: Services,
  findMonitor?: (secret: string) => Promise<string | null>,
) {
  const limit = createRateLimit({ ...RATE, clock });
  return async (secret: string, request: JobRequest): Promise<Recorded | null> => {
    const wait = limit.take(secret);
    if (wait > 0) {
      metrics.refused("checkins");
      throw tooMany("check-ins of this monitor", wait);
    }
    const monitorId = findMonitor ? await findMonitor(secret) : secret;
    const behind = heartbeats.catchUp();
    // The report would wait once more for a database that has just not answered (behavior 12.6).
    if (behind && (await behind) === null) throw new StorageFault(new Error("nothing can be written now"));
    const at = clock.now();
    const recorded = monitorId && (await recorder.record({ ...request, monitorId, at }));
    if (recorded && recorded !== "held") return recorded;
    // The rate limit remembers a limited number of URLs: unknown URLs must not evict URLs of monitors.
    limit.forget(secret);
    return null;
  };
}

/** The ID of a run that the job chose. */
const RID = /^[A-Za-z0-9-]{1,64}$/;

/** The `rid` of a request. @returns undefined without a `rid`, null if it is not valid */
export function ridOf(request: Request): string | undefined | null {
  const rid = queryOf(request).get("rid");
  if (rid === null) return undefined;
  return RID.test(rid) ? rid : null;
}

/** The request that the last part of a URL means: `start`, `log`, `fail`, or an exit code. @returns null for anything else */
export function requestOf(action: string): JobRequest | null {
  if (action === "start" || action === "log") return { kind: action, report: {} };
  if (action === "fail") return { kind: "checkin", status: "fail" };
  // A code has no leading zeros.
  if (!/^(0|[1-9][0-9]{0,2})$/.test(action) || Number(action) > 255) return null;
  const exitCode = Number(action);
  return { kind: "checkin", status: exitCode === 0 ? "ok" : "fail", report: { exitCode } };
}

/** A job has ended, whether its output arrives or not: it is not awaited for longer; milliseconds. */
const ARRIVES_WITHIN = 5000;

/**
 * The output of a run in the body of a POST: its first 10 kB, whatever its type and its length. The rest is not read: Bun drops it. If the
 * start does not arrive in time or the connection breaks, what arrived counts.
 */
export async function readOutput(request: Request): Promise<Uint8Array | undefined> {
  if (request.method !== "POST" || !request.body) {
    dropBody(request);
    return undefined;
  }
  // One more byte shows that the body was cut.
  const kept = new Uint8Array(MAX_OUTPUT + 1);
  let length = 0;
  for await (const chunk of arrivingChunks(request.body)) {
    kept.set(chunk.subarray(0, kept.length - length), length);
    length = Math.min(length + chunk.length, kept.length);
    if (length > MAX_OUTPUT) break;
  }
  return outputOf(kept.subarray(0, length));
}

async function* arrivingChunks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const giveUp = () => void reader.cancel().catch(() => {});
  const timer = setTimeout(giveUp, ARRIVES_WITHIN);
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } catch {
    // The connection was closed before the end of the body.
  } finally {
    clearTimeout(timer);
    giveUp();
  }
}

/**
 * A start whose client has gone may be hours old: it waited in the network, or while this process stalled, and the end of its run may
 * have come before (behavior 18.72).
 *
 * @throws AppError that nobody reads
 */
export async function assertClientWaits({ signal }: Request): Promise<void> {
  // In the second turn of the event loop, Bun knows of a connection that was closed before this process read the request.
  for (let turn = 0; turn < 2; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
  if (signal.aborted) throw invalid("the client must wait for the answer to a start");
}
