import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { isMissing } from "../requirements.ts";
import { tempDir } from "../temp-dir.ts";

/** A fault at one of the calls of a program that change files (`fault-injector.py`). */
export interface Plan {
  /**
   * `power`: the process is killed, and what was not synced is lost. `lost`: a sync fails, and what it should have written
   * is lost at the power failure that SIGUSR1 causes, although later syncs succeed.
   */
  kind: "kill" | "power" | "lost" | "ENOSPC" | "EIO";
  /** Which calls are counted. `changes`: syncs, writes, and changes of names. */
  calls: "syncs" | "writes" | "changes";
  /** The number of the call, from 1. */
  at: number;
  /** How many calls fail, one after another. */
  times?: number;
}

/** Whether this machine can't inject faults. Prints what is missing. */
export const cannotInject = (): boolean => {
  if (isMissing(["python3"])) return true;
  if (process.platform === "linux" && process.arch === "x64") return false;
  process.stderr.write(`LEFT OUT: ${Bun.main} needs Linux on x86-64\n`);
  return true;
};

/** A fault for the next program that runs `under` it in a folder. */
export class Fault implements Disposable {
  readonly under: string[];
  readonly #dir = tempDir();
  readonly #log = join(this.#dir.path, "calls.txt");

  constructor(folder: string, { kind, calls, at, times = 1 }: Plan) {
    const injector = resolve(import.meta.dir, "fault-injector.py");
    const plan = [kind, calls, `${at}`, `${at + times - 1}`, folder, this.#log];
    this.under = ["python3", injector, ...plan, "--"];
  }

  /** The counted calls so far, each with its file. Calls that failed begin with `fault`. */
  get calls(): string[] {
    return existsSync(this.#log) ? readFileSync(this.#log, "utf8").split("\n").filter(Boolean) : [];
  }

  /** The first call that failed; undefined if the program made fewer calls. */
  get hit(): string | undefined {
    return this.calls.find((call) => call.startsWith("fault "));
  }

  [Symbol.dispose](): void {
    this.#dir[Symbol.dispose]();
  }
}

/** How many runs must end without the fault until no call is left. */
const RUNS_WITHOUT = 3;

/**
 * Runs `attempt` with 1, 2, 3 and so on, until it returns undefined three times, several at the same time.
 *
 * @param attempt returns what the fault has hit, or undefined if there was none because the work had ended
 * @param options.stride 1 for every number @param options.first the first one @param options.most how many of them at most
 * @returns what was hit, without gaps
 */
export async function atEvery(
  attempt: (at: number, lane: number) => Promise<string | undefined>,
  { lanes = 2, stride = 1, first = 1, most = Number.POSITIVE_INFINITY } = {},
): Promise<string[]> {
  const hits: string[] = [];
  let next = first;
  // The number of calls differs by a few from run to run.
  let without = stride > 1 ? RUNS_WITHOUT - 1 : 0;
  const lane = async (_: unknown, number: number) => {
    while (without < RUNS_WITHOUT && next < first + most * stride) {
      const at = next;
      next += stride;
      try {
        const hit = await attempt(at, number);
        if (hit === undefined) without++;
        else hits.push(`${at}: ${hit}`);
      } catch (cause) {
        without = RUNS_WITHOUT;
        throw new Error(`with the fault at call ${at}`, { cause });
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return hits;
}
