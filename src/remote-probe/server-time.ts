import type { Clock } from "../clock.ts";
import type { Logger } from "../log.ts";
import { createRemoteClock, type RemoteClock } from "../runner/remote-clock.ts";
import type { StoredTime } from "../store/buffer/probe-store.ts";

/** The time of the server, which is also known while the server is away. */
export interface ServerTime extends RemoteClock {
  /** Assumes that the clock of this machine differs from the clock of the server as it did before the start. */
  assume(stored: StoredTime): void;
  /** The value for `assume` after the next start. */
  stored(): StoredTime;
}

/** @param wall the clock of this machine, in milliseconds since 1970 */
export function createServerTime({
  system,
  wall,
  log,
}: {
  system: Pick<Clock, "monotonic" | "sleep" | "after">;
  wall: () => number;
  log: Logger;
}): ServerTime {
  const remote = createRemoteClock({ system, log, owner: "server" });
  return {
    ...remote,
    assume({ shift }) {
      const reading = system.monotonic();
      remote.add({ before: reading, remote: Math.floor(wall() + shift), after: reading });
    },
    stored() {
      const aliveAt = remote.clock.now();
      return { shift: aliveAt - wall(), aliveAt };
    },
  };
}
