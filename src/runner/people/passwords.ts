import { availableParallelism } from "node:os";
import type { Cancel, Clock } from "../../clock.ts";
import { lacksDescriptorsForThread } from "../../descriptors.ts";
import { tooManyFault } from "../../domain/faults/fault.ts";
import { HASH_COST, type HashCost, normalizedPassword } from "../../domain/people/password.ts";
import { tooManyConnections } from "../../errors.ts";
import { workerUrl } from "../../worker-url.ts";
import type { PasswordJob } from "./password-worker.ts";

/**
 * Hashes and checks passwords, on threads of their own with a low priority (behavior 19.11). Both throw an AppError: `too_many` while
 * too many others wait, and `unavailable` if connections of clients leave too few file descriptors for a thread.
 */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** @param hash null if there is none: then it takes as long, and is wrong (behavior 19.22) */
  verify(password: string, hash: string | null): Promise<boolean>;
  stop(): void;
}

const ENTRY = workerUrl("runner/people/password-worker.ts");

/** 32 bytes in base64. */
const ZEROS = "A".repeat(43);

/** The hash of no known password. A comparison with it takes as long as with any other hash. */
const decoyOf = ({ algorithm, memoryCost, timeCost }: HashCost) =>
  `$${algorithm}$v=19$m=${memoryCost},t=${timeCost},p=1$${ZEROS}$${ZEROS}`;

/** Passwords that wait for their hash: some seconds of work. */
const MAX_WAITING = 100;

/** Seconds after which a client may try again while so many wait. */
const WAIT = 10;

/** So that a flood from many addresses leaves no long queue. @throws AppError `too_many` */
export function assertFewWaiting(waiting: number): void {
  if (waiting >= MAX_WAITING) throw tooManyFault("tooManyPasswords", WAIT);
}

/** Milliseconds after which a thread without work ends. */
const IDLE = 60_000;

/** A thread, and how to end its pause. */
interface IdleThread {
  worker: Worker;
  cancel: Cancel;
}

/**
 * @param parallel as many at once as there are cores, so that others wait in a queue and not for memory
 * @param cost lower in tests of other things
 */
export function createPasswords(
  clock: Pick<Clock, "after">,
  { parallel = availableParallelism(), cost = HASH_COST } = {},
): Passwords {
  const decoy = decoyOf(cost);
  const waiting: (() => void)[] = [];
  const idle: IdleThread[] = [];
  let running = 0;
  let isStopped = false;

  async function run<Result>(job: PasswordJob): Promise<Result> {
    if (running < parallel) running++;
    else {
      assertFewWaiting(waiting.length);
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    try {
      return await workOn(job);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  }

  async function workOn<Result>(job: PasswordJob): Promise<Result> {
    const worker = takeThread();
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => {
      worker.terminate();
      reject(new Error(`a thread for passwords died: ${message}`));
    };
    worker.postMessage(job);
    const result = await promise;
    rest(worker);
    return result;
  }

  function takeThread(): Worker {
    const thread = idle.pop();
    thread?.cancel();
    if (!thread && lacksDescriptorsForThread()) throw tooManyConnections();
    return thread?.worker ?? new Worker(ENTRY, { smol: true, ref: false });
  }

  function rest(worker: Worker): void {
    if (isStopped) worker.terminate();
    else idle.push({ worker, cancel: clock.after(IDLE, () => end(worker)) });
  }

  function end(worker: Worker): void {
    const at = idle.findIndex((thread) => thread.worker === worker);
    if (at >= 0) idle.splice(at, 1);
    worker.terminate();
  }

  return {
    hash: (password) => run<string>({ password: normalizedPassword(password), cost }),
    async verify(password, stored) {
      const isRight = await run<boolean>({ password: normalizedPassword(password), hash: stored ?? decoy });
      return isRight && stored !== null;
    },
    stop() {
      isStopped = true;
      for (const { worker, cancel } of idle.splice(0)) {
        cancel();
        worker.terminate();
      }
    },
  };
}
