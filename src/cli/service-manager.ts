import type { App } from "../app.ts";
import type { Config, ServiceManager } from "../config.ts";
import { createLogger, type Logger } from "../log.ts";

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

/* The parts that commands share which run until they are stopped. */

/** The logger of the settings. */
export async function chosenLogger({
  logLevel: level,
  logFormat,
}: Pick<Config, "logLevel" | "logFormat">): Promise<Logger> {
  if (logFormat === "json") return createLogger({ level });
  return (await import("../pretty-log.ts")).createPrettyLogger({ level });
}

/** Resolves at SIGTERM or SIGINT. */
export function stopped(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGTERM", () => resolve());
    process.once("SIGINT", () => resolve());
  });
}

/** Behavior 9.23. A second signal ends it. @param seconds 0: not at all */
export async function drain(app: Pick<App, "drain" | "clock">, seconds: number, log: Logger): Promise<void> {
  if (seconds === 0) return;
  app.drain();
  log.info(`/healthz answers 503 for ${seconds} s before the stop`);
  const stop = stopped();
  await Promise.race([app.clock.sleep(seconds * 1000), stop]);
}
