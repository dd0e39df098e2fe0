import type { Cancel, Clock } from "../clock.ts";
import { isMostlyBlind } from "../domain/checks/blindness.ts";
import type { Logger } from "../log.ts";
import type { NetworkState } from "../probes/network-state.ts";
import type { ProbeThread } from "../probes/probe-thread.ts";

/**
 * Whether the service works.
 *
 * @property database whether it accepts writes; `away` if nodes share it and it can't be reached
 * @property probes whether due checks are scanned and the thread responds; `blind` if at least half of the monitors are blind
 * @property blind how many monitors are blind (behavior 1.58)
 * @property overdue how many monitors wait for a check for longer than their interval (behavior 1.61)
 * @property nodes how many live nodes share the database
 * @property network missing without the setting `networkCheck`
 * @property ping there if this machine does not let stillup ping, and monitors are to be pinged (behavior 20.37)
 * @property draining there while the server is about to stop, so that proxies send requests elsewhere (behavior 9.23)
 * @property config why the configuration file was not applied; missing if it was, or if there is none
 * @property discovery what is wrong with what runs here; missing without a fault (behavior 28.79)
 */
export interface HealthReport {
  database: "ok" | "failing" | "away";
  probes: "ok" | "failing" | "blind";
  blind: number;
  overdue: number;
  nodes: number;
  network?: NetworkState;
  ping?: "closed";
  draining?: true;
  config?: string;
  discovery?: string;
}

/** Keeps the state, so that a report costs nothing. */
export interface Health {
  report(): HealthReport;
  /** From now on, the server counts as unhealthy, because it is about to stop. */
  drain(): void;
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
  isAway = () => false,
  nodes = () => 1,
  blindness = () => ({ blind: 0, probed: 0 }),
  overdue = () => 0,
  network = () => undefined,
  isPingClosed = () => false,
  config = () => undefined,
  discovery = () => undefined,
  scannedAt,
  log,
}: {
  clock: Clock;
  probes: Pick<ProbeThread, "ping">;
  acceptsWrites: () => boolean;
  /** Whether the database can't be reached. */
  isAway?: () => boolean;
  nodes?: () => number;
  blindness?: () => { blind: number; probed: number };
  overdue?: () => number;
  network?: () => NetworkState | undefined;
  isPingClosed?: () => boolean;
  config?: () => string | undefined;
  discovery?: () => string | undefined;
  /** When due checks were last scanned, in milliseconds of the monotonic clock. */
  scannedAt: () => number;
  log: Logger;
}): Health {
  let respondedAt = clock.monotonic();
  let isPinging = false;
  let isDraining = false;
  let cancel: Cancel | undefined;
  /** When the database was last away: due checks can't be scanned then, which is not a fault of the probes. */
  let awayAt = Number.NEGATIVE_INFINITY;
  /** The parts of the last report that were logged. */
  let logged: Pick<HealthReport, "database" | "probes"> | undefined;

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
    const now = clock.monotonic();
    if (isAway()) awayAt = now;
    const since = Math.min(respondedAt, Math.max(scannedAt(), awayAt));
    const counts = blindness();
    const sighted = isMostlyBlind(counts) ? "blind" : "ok";
    const state = network();
    const fault = config();
    const unfound = discovery();
    return {
      database: database(),
      probes: now - since < LATE_AFTER ? sighted : "failing",
      blind: counts.blind,
      overdue: overdue(),
      nodes: nodes(),
      ...(state && { network: state }),
      ...(isPingClosed() && { ping: "closed" }),
      ...(isDraining && { draining: true }),
      ...(fault !== undefined && { config: fault }),
      ...(unfound !== undefined && { discovery: unfound }),
    };
  }

  function database(): HealthReport["database"] {
    if (isAway()) return "away";
    return acceptsWrites() ? "ok" : "failing";
  }

  function logChange(): void {
    const { database, probes: how } = report();
    const current = { database, probes: how };
    if (Bun.deepEquals(current, logged)) return;
    if (!isHealthy(current)) log.error({ ...current }, "this service is unhealthy");
    else if (logged) log.info("this service is healthy again");
    logged = current;
  }

  return {
    report,
    drain() {
      isDraining = true;
    },
    start() {
      respondedAt = clock.monotonic();
      // Not awaited: while a ping hangs, changes are logged all the same.
      cancel = clock.every(PING_EVERY, () => void ping());
    },
    stop: () => cancel?.(),
  };
}

/**
 * The questions of an orchestrator, whose reactions help only against some faults (behavior 7.77): it restarts a server that is not alive,
 * and sends requests elsewhere while a server is not ready.
 */
export const HEALTH_PURPOSES = ["liveness", "readiness"] as const;
export type HealthPurpose = (typeof HEALTH_PURPOSES)[number];

type Judged = Pick<HealthReport, "database" | "probes" | "draining">;

const isFitFor: { [P in HealthPurpose]: (report: Judged) => boolean } = {
  // A restart brings back neither a database nor a name server.
  liveness: ({ probes }) => probes !== "failing",
  // A database that rejects writes rejects them from all nodes, and what is in it can still be read.
  readiness: ({ database, draining }) => database !== "away" && draining !== true,
};

/** @param purpose default: all parts count */
export function isHealthy(report: Judged, purpose?: HealthPurpose): boolean {
  if (purpose) return isFitFor[purpose](report);
  const { database, probes, draining } = report;
  return database === "ok" && probes === "ok" && draining !== true;
}
