import type { ServiceManager } from "../config.ts";
import type { Logger } from "../log.ts";

/** How many times within its patience the watchdog is told that all is well. */
const TIMES = 3;

/**
 * Tells systemd that the service is ready, and as long as it is alive that it still is: one that is not gets killed and
 * started again. It is told by systemd's own program, for Bun has no datagram sockets of Unix.
 *
 * @returns ends it
 */
export function notifyServiceManager(
  { watchdogMs }: ServiceManager,
  { url, isAlive, log }: { url: string; isAlive: () => boolean; log: Logger },
): () => void {
  tell(["READY=1", `STATUS=Listening on ${url}`], log);
  if (watchdogMs === undefined) return () => {};
  const timer = setInterval(() => isAlive() && tell(["WATCHDOG=1"], log), watchdogMs / TIMES);
  return () => clearInterval(timer);
}

function tell(state: string[], log: Logger): void {
  try {
    Bun.spawn(["systemd-notify", ...state], {
      stdio: ["ignore", "ignore", "inherit"],
      onExit: (_, code) => {
        if (code !== 0) log.error({ state, code }, "systemd-notify failed");
      },
    });
  } catch (error) {
    log.error({ err: error, state }, "systemd could not be told how the service stands");
  }
}
