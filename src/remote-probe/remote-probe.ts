import type { Clock } from "../clock.ts";
import type { Work } from "../domain/locations/protocol.ts";
import type { Logger } from "../log.ts";
import type { TimeSample } from "../runner/database-clock.ts";
import { logNetwork } from "../runner/loop.ts";
import { type Checking, type CheckingParts, startChecking } from "./checking.ts";
import { LinkError, type LinkProblem, type PollQuery, type ServerLink } from "./http-link.ts";
import { createRetryDelay, createSignal, type RetryDelay } from "./sender.ts";

/** A probe that has a work list begins with it if the server has not answered by then; milliseconds. */
const SERVER_EXPECTED = 5000;

/** Checks the monitors of one location for a server elsewhere (behavior 13.41). */
export interface RemoteProbe {
  start(): void;
  /** Whether due checks begin on time, as far as there can be any. */
  isAlive(): boolean;
  /** Starts no more checks, waits for the running ones, and sends what is left. */
  stop(): Promise<void>;
}

/**
 * @param system the timers of this machine
 * @param onConnected called once, with the name of the location
 * @param mayPing whether this machine lets it ping
 */
export function createRemoteProbe({
  system,
  onConnected,
  mayPing,
  ...given
}: Omit<CheckingParts, "connection"> & {
  system: Pick<Clock, "monotonic" | "after">;
  onConnected: (location: string) => void;
  mayPing: () => boolean;
}): RemoteProbe {
  const { link, store, time, log, random } = given;
  const connection = createConnection({ log, waiting: () => checking?.buffer.waiting() ?? 0 });
  const parts: CheckingParts = { ...given, connection };
  let checking: Checking | undefined;
  let isConnected = false;
  let isStopped = false;

  const poll = createWorkPoll({
    link,
    clock: system,
    connection,
    retry: createRetryDelay(random),
    state: () => ({
      waiting: checking?.buffer.waiting() ?? 0,
      dropped: checking?.buffer.dropped() ?? 0,
      ping: mayPing() ? "open" : "closed",
      can: "reach",
    }),
    addTime: time.add,
    onWork,
    log,
  });

  connection.onChange((state) => {
    if (state === "away" || state === "incompatible") beginAlone();
    if (state === "key_refused") forget();
  });

  function onWork(work: Work): boolean {
    checking ??= startChecking(parts);
    const hasNews = checking.take(work);
    checking.send();
    if (!isConnected) onConnected(work.location.name);
    isConnected = true;
    return hasNews;
  }

  /** Checks what it checked before the start. */
  function beginAlone(): void {
    if (checking || isStopped) return;
    const stored = store.time();
    if (!stored || !store.work()) return;
    time.assume(stored);
    checking = startChecking(parts);
  }

  /** Before the first answer there is no checking, except with the stored monitors. */
  function forget(): void {
    beginAlone();
    checking?.forget();
  }

  return {
    start() {
      logNetwork(given.probes.network, log);
      if (store.isReplaced)
        log.error("the database of this probe was damaged: it is kept as probe.db.damaged");
      system.after(SERVER_EXPECTED, beginAlone);
      poll.start();
    },
    isAlive: () => checking?.isAlive() ?? true,
    async stop() {
      isStopped = true;
      poll.stop();
      await checking?.stop();
    },
  };
}

/**
 * A request that is answered at once shows the time of the server closely. If no observations are sent either, the probe
 * sends such a request after this time, in milliseconds.
 */
const LOOSE_AFTER = 300_000;

/** A round trip that shows the time closely, in milliseconds. */
const CLOSE = 1000;

/** Pause after an answer without news that was not held, in milliseconds: the server has another probe with this key. */
const PAUSE = 1000;

const PAUSE_AFTER_FAULT = 30_000;

/** Asks for the work of the location, again and again. */
interface WorkPoll {
  start(): void;
  stop(): void;
}

function createWorkPoll({
  link,
  clock,
  connection,
  retry,
  state,
  addTime,
  onWork,
  log,
}: {
  link: Pick<ServerLink, "poll">;
  clock: Pick<Clock, "monotonic" | "after">;
  connection: Connection;
  retry: RetryDelay;
  /** The state that the probe reports. */
  state: () => Pick<PollQuery, "waiting" | "dropped" | "ping" | "can">;
  addTime: (sample: TimeSample) => void;
  /** Called with each answer, after `addTime`. @returns whether it has news */
  onWork: (work: Work) => boolean;
  log: Logger;
}): WorkPoll {
  const end = new AbortController();
  const recovery = createSignal(clock);
  /** Values of the last answer. */
  let known: Pick<PollQuery, "revision" | "after"> = {};
  let closeAt = Number.NEGATIVE_INFINITY;

  connection.onChange((state) => {
    if (state === "up") recovery.wake();
    // A request without a revision gets all monitors at once.
    else known = {};
  });

  async function run(): Promise<void> {
    while (!end.signal.aborted) await recovery.wait(await poll());
  }

  /** @returns how long to wait until the next request, in milliseconds */
  async function poll(): Promise<number> {
    try {
      return await ask();
    } catch (error) {
      if (end.signal.aborted) return 0;
      if (!(error instanceof LinkError)) return failed(error);
      connection.failed(error);
      return retry.after(error);
    }
  }

  /** A fault of this machine, after which the checks go on. */
  function failed(error: unknown): number {
    log.error({ err: error }, "the work of the location could not be taken");
    return PAUSE_AFTER_FAULT;
  }

  async function ask(): Promise<number> {
    const before = clock.monotonic();
    if (before - closeAt > LOOSE_AFTER) known = {};
    const work = await link.poll({ ...known, ...state() }, end.signal);
    const after = clock.monotonic();
    if (end.signal.aborted) return 0;
    if (after - before < CLOSE) closeAt = after;
    addTime({ before, remote: work.now, after });
    const hasNews = onWork(work);
    retry.reset();
    connection.succeeded();
    known = { revision: work.revision, after: work.after };
    return hasNews || after - before > PAUSE ? 0 : PAUSE;
  }

  return {
    start: () => void run(),
    stop() {
      end.abort();
      recovery.wake();
    },
  };
}

/** The outcome of the last request: `new` before the first one has ended, `up`, or why it failed. */
type ConnectionState = "new" | "up" | Exclude<LinkProblem, "batch_refused">;

/** The state of the connection to the server, as all requests show it together. */
export interface Connection {
  state(): ConnectionState;
  succeeded(): void;
  failed(error: LinkError): void;
  /** @param listener called after each change */
  onChange(listener: (state: ConnectionState) => void): void;
}

/** @param waiting how many observations wait to be sent, for the log */
export function createConnection({ log, waiting }: { log: Logger; waiting: () => number }): Connection {
  const listeners: ((state: ConnectionState) => void)[] = [];
  let state: ConnectionState = "new";

  function become(next: ConnectionState, note: () => void): void {
    if (next === state) return;
    note();
    state = next;
    for (const listener of listeners) listener(state);
  }

  return {
    state: () => state,
    succeeded() {
      become("up", () => {
        if (state !== "new") log.info({ waiting: waiting() }, "the server takes observations again");
      });
    },
    failed({ problem, message }) {
      if (problem === "batch_refused") return;
      become(problem, () => NOTES[problem](log, message));
    },
    onChange: (listener) => void listeners.push(listener),
  };
}

const NOTES: Record<Exclude<LinkProblem, "batch_refused">, (log: Logger, reason: string) => void> = {
  away: (log, reason) =>
    log.warn({ reason }, "the server can't be reached: observations are kept, and sent later"),
  key_refused: (log) =>
    log.error("the server does not accept the key: nothing is checked. Was the location deleted?"),
  incompatible: (log, reason) =>
    log.error({ reason }, "the server and this probe do not understand each other"),
};
