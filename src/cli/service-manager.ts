import type { ServiceManager } from "../config.ts";
import type { Logger } from "../log.ts";

/** Notifications within one watchdog timeout. */
const NOTIFICATIONS_PER_TIMEOUT = 3;

/**
 * Notifies systemd that the service is ready, and then regularly that it is alive. systemd kills and restarts a service
 * whose notifications stop. The program `systemd-notify` sends them, because Bun has no Unix datagram sockets.
 *
 * @param options.status what the service does now, for people
 * @returns stops the notifications
 */
export function notifyServiceManager(
  { watchdogMs }: ServiceManager,
  { status, isAlive, log }: { status: string; isAlive: () => boolean; log: Logger },
): () => void {
  notify(["READY=1", `STATUS=${status}`], log);
  if (watchdogMs === undefined) return () => {};
  const interval = watchdogMs / NOTIFICATIONS_PER_TIMEOUT;
  const timer = setInterval(() => isAlive() && notify(["WATCHDOG=1"], log), interval);
  return () => clearInterval(timer);
}

function notify(state: string[], log: Logger): void {
  try {
    Bun.spawn(["systemd-notify", ...state], {
      stdio: ["ignore", "ignore", "inherit"],
      onExit: (_, code) => {
        if (code !== 0) log.error({ state, code }, "systemd-notify failed");
      },
    });
  } catch (error) {
    log.error({ err: error, state }, "systemd-notify could not be started");
  }
}
