import type { Clock } from "../clock.ts";
import type { Work } from "../domain/locations/protocol.ts";
import { logNetwork } from "../runner/network-log.ts";
import { type Checking, type CheckingParts, startChecking } from "./checking.ts";
import { createConnection } from "./connection.ts";
import { createRetryDelay } from "./retry-delay.ts";
import { createWorkPoll } from "./work-poll.ts";

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
