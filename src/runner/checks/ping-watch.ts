import type { Clock } from "../../clock.ts";
import type { Logger } from "../../log.ts";
import type { Store } from "../../store/store.ts";
import { createFaultLog, createLoop, type Loop } from "../loop.ts";

/** Milliseconds between two looks. */
const LOOK_EVERY = 5000;

/** Why this machine can't ping; null if it can. The code of pings is loaded by the first call. */
export async function pingRefusalHere(): Promise<string | null> {
  const { mayPing, pingSetting } = await import("../../probes/ping/ping-access.ts");
  return mayPing() ? null : pingSetting();
}

/** Notices that this machine does not let stillup ping although monitors are to be pinged from here (behavior 20.37). */
export interface PingWatch extends Pick<Loop, "start" | "stop"> {
  /** As of the last look. */
  isClosed(): boolean;
}

export function createPingWatch({
  store,
  clock,
  log,
  pingRefusal = pingRefusalHere,
}: {
  store: Pick<Store, "monitors">;
  clock: Clock;
  log: Logger;
  pingRefusal?: () => Promise<string | null>;
}): PingWatch {
  let isClosed = false;

  async function look(): Promise<void> {
    const refusal = (await store.monitors.anyPingsHere()) ? await pingRefusal() : null;
    if (refusal !== null && !isClosed) log.error(refusal);
    if (refusal === null && isClosed) log.info("pings are not refused any more");
    isClosed = refusal !== null;
  }

  const loop = createLoop({
    clock,
    every: LOOK_EVERY,
    task: look,
    faults: createFaultLog(log, "it could not be found out whether monitors are to be pinged"),
  });

  return { ...loop, isClosed: () => isClosed };
}
