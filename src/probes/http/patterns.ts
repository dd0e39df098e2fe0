import { lacksDescriptorsForThread } from "../../descriptors.ts";
import { workerUrl } from "../../worker-url.ts";
import { Lifetime } from "../lifetime.ts";
import type { ProbeContext } from "../observe.ts";
import { Turns } from "../turns.ts";

/** @property text if undefined, the patterns are only validated */
export interface PatternJob {
  patterns: string[];
  text?: string;
}

/** @property at the first pattern that is invalid, or that the text does not match; -1 for none @property fault of it, if it is invalid */
export interface PatternResult {
  at: number;
  fault: PatternFault | null;
}

/** By the codes of `domain/faults/`. @property size the steps to which the pattern compiles */
export type PatternFault =
  | { code: "patternSyntax"; why: string }
  | { code: "patternTooLarge"; size: number; most: number }
  | { code: "patternTooSlow" };

const ENTRY = workerUrl("probes/http/pattern-worker.ts");

/** How long one check may match while others wait to, and in any case, in milliseconds. Of 1 MiB, most patterns take less than 100. */
const SURE = 2000;
const MOST = 5000;

const TOO_LONG = "the patterns of expect.matches take too long for this text";

/**
 * A thread that matches patterns: the time that one takes is linear in the text, but may be seconds for 1 MiB, and no other check
 * waits for it. A job that is too long ends with its thread, and the next job starts another one.
 */
class PatternThread {
  private worker: Worker | undefined;
  /** Ends the job in progress. */
  private fail: (why: string) => void = () => {};

  /** One at a time. @param lifetime of the job @throws if it ends before the result, or the thread dies */
  async run(job: PatternJob, lifetime: Lifetime): Promise<PatternResult> {
    lifetime.assertOngoing();
    const { promise, resolve, reject } = Promise.withResolvers<PatternResult>();
    const worker = this.thread();
    const fail = (why: string) =>
      reject(new Error(`the patterns of expect.matches were not matched: ${why}`));
    this.fail = fail;
    worker.onmessage = ({ data }: MessageEvent<PatternResult>) => resolve(data);
    lifetime.add({ close: () => this.fail === fail && this.end("the check has ended") });
    worker.postMessage(job);
    try {
      return await promise;
    } finally {
      this.fail = () => {};
    }
  }

  /** Ends the thread, and a job with it. */
  end(why: string): void {
    const { worker } = this;
    this.worker = undefined;
    this.fail(why);
    worker?.terminate();
  }

  private thread(): Worker {
    if (this.worker) return this.worker;
    if (lacksDescriptorsForThread()) throw new Error("too few file descriptors for a thread");
    const started = new Worker(ENTRY, { smol: true, ref: false });
    const died = (why: string) => this.worker === started && this.end(why);
    started.onerror = ({ message }) => died(message);
    started.addEventListener("close", () => died("their thread ended"));
    this.worker = started;
    return started;
  }
}

const turns = new Turns(1, { sure: SURE, why: TOO_LONG });
const matching = new PatternThread();

/**
 * Looks for patterns anywhere in a text. What this takes is no time of the target, and a text for which it takes too long makes the
 * check inconclusive (behavior 26.135).
 *
 * @param patterns valid ones
 * @returns the first that does not match; undefined if all do
 */
export async function firstUnmatched(
  patterns: string[],
  text: string,
  context: ProbeContext,
): Promise<string | undefined> {
  const turn = await turns.take(context);
  const timer = setTimeout(() => context.fail(new Error(TOO_LONG)), MOST);
  try {
    const { at } = await context.wait(() => matching.run({ patterns, text }, context.lifetime));
    return patterns[at];
  } finally {
    clearTimeout(timer);
    turn.close();
  }
}

/** How long the thread for validations waits for another one, in milliseconds: a document may have many patterns. */
const IDLE = 5000;

const validating = new PatternThread();
let idle: Timer | undefined;

/** Validations, each of which waits for the one before. */
let validations: Promise<unknown> = Promise.resolve();

/**
 * Validates patterns by compiling them on a thread: hostile ones take seconds.
 *
 * @returns the first fault; undefined without one
 */
export function faultInPatterns(patterns: string[]): Promise<PatternResult | undefined> {
  const validation = validations.then(() => validate(patterns));
  validations = validation.catch(() => {});
  return validation;
}

async function validate(patterns: string[]): Promise<PatternResult | undefined> {
  clearTimeout(idle);
  const lifetime = new Lifetime();
  const timer = setTimeout(() => lifetime.close(), MOST);
  try {
    const result = await validating.run({ patterns }, lifetime);
    return result.fault === null ? undefined : result;
  } catch (error) {
    if (lifetime.isOver) return { at: 0, fault: { code: "patternTooSlow" } };
    throw error;
  } finally {
    clearTimeout(timer);
    idle = setTimeout(() => validating.end("it is over"), IDLE);
    idle.unref();
  }
}
