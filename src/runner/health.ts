import type { Cancel, Clock } from "../clock.ts";
import type { Logger } from "../log.ts";
import type { ProbeThread } from "../probes/probe-thread.ts";

/**
 * Whether the service works.
 *
 * @property database whether it accepts writes @property probes whether due checks are scanned and the thread responds
 */
export interface HealthReport {
  database: "ok" | "failing";
  probes: "ok" | "failing";
}

/** Keeps the state, so that a report costs nothing. */
export interface Health {
  report(): HealthReport;
  start(): void;
  stop(): void;
}

/** Milliseconds between two pings, and after which the probe thread or the scheduler counts as failing. */
const PING_EVERY = 2000;
const LATE_AFTER = 10_000;

export function createHealth({
  clock,
  probes,
  acceptsWrites,
  scannedAt,
  log,
}: {
  clock: Clock;
  probes: Pick<ProbeThread, "ping">;
  acceptsWrites: () => boolean;
  /** When due checks were last scanned, in milliseconds of the monotonic clock. */
  scannedAt: () => number;
  log: Logger;
}): Health {
  let respondedAt = clock.monotonic();
  let isPinging = false;
  let cancel: Cancel | undefined;
  /** The last report that was logged. */
  let logged: HealthReport | undefined;

  async function ping(): Promise<void> {
    logChange();
    if (isPinging) return;
    isPinging = true;
    // A thread that died is pinged again when it is replaced.
    await probes.ping().then(
      () => (respondedAt = clock.monotonic()),
      () => {},
    );
    isPinging = false;
  }

  function report(): HealthReport {
    const since = Math.min(respondedAt, scannedAt());
    return {
      database: acceptsWrites() ? "ok" : "failing",
      probes: clock.monotonic() - since < LATE_AFTER ? "ok" : "failing",
    };
  }

  function logChange(): void {
    const current = report();
    if (Bun.deepEquals(current, logged)) return;
    if (!isHealthy(current)) log.error({ ...current }, "this service is unhealthy");
    else if (logged) log.info("this service is healthy again");
    logged = current;
  }

  return {
    report,
    start() {
      respondedAt = clock.monotonic();
      cancel = clock.every(PING_EVERY, ping);
    },
    stop: () => cancel?.(),
  };
}

export function isHealthy({ database, probes }: HealthReport): boolean {
  return database === "ok" && probes === "ok";
}
