import type { Logger } from "../log.ts";
import type { ProbeThread } from "../probes/probe-thread.ts";

/**
 * Whether the service does what it is for.
 *
 * @property database whether it takes writes @property probes whether checks are looked for, and the thread answers
 */
export interface HealthReport {
  database: "ok" | "failing";
  probes: "ok" | "failing";
}

/** Keeps how things stand, so that to be asked costs nothing. */
export interface Health {
  report(): HealthReport;
  start(): void;
  stop(): void;
}

/** Milliseconds between two questions to the probe thread, and after which it or the scheduler counts as late. */
const ASK_EVERY = 2000;
const LATE_AFTER = 10_000;

/**
 * @param takesWrites whether the last write that was tried came to the disk
 * @param lookedAt when it was last looked for due checks, of `performance.now()`
 */
export function createHealth({
  probes,
  takesWrites,
  lookedAt,
  log,
}: {
  probes: Pick<ProbeThread, "ping">;
  takesWrites: () => boolean;
  lookedAt: () => number;
  log: Logger;
}): Health {
  let answeredAt = performance.now();
  let asking = false;
  let timer: Timer | undefined;
  let known = "";

  async function ask(): Promise<void> {
    tell();
    if (asking) return;
    asking = true;
    // A thread that has died is asked again when it is replaced.
    await probes.ping().then(
      () => (answeredAt = performance.now()),
      () => {},
    );
    asking = false;
  }

  function report(): HealthReport {
    const since = Math.min(answeredAt, lookedAt());
    return {
      database: takesWrites() ? "ok" : "failing",
      probes: performance.now() - since < LATE_AFTER ? "ok" : "failing",
    };
  }

  function tell(): void {
    const { database, probes } = report();
    const now = `${database} ${probes}`;
    if (now === known) return;
    if (!isHealthy({ database, probes })) log.error({ database, probes }, "this service is unhealthy");
    else if (known !== "") log.info("this service is healthy again");
    known = now;
  }

  return {
    report,
    start() {
      answeredAt = performance.now();
      timer = setInterval(ask, ASK_EVERY);
    },
    stop: () => clearInterval(timer),
  };
}

export function isHealthy({ database, probes }: HealthReport): boolean {
  return database === "ok" && probes === "ok";
}
