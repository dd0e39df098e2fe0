import { isIP } from "node:net";
import type { Network } from "./connections/network.ts";
import type { OwnNetwork } from "./network-state.ts";
import { type ProbeClock, systemProbeClock } from "./probe-clock.ts";
import type { Check, CheckReport, Command } from "./probe-messages.ts";
import { probe } from "./registry.ts";
import { createStallDetector, type StallDetector } from "./stall-detector.ts";

/** Runs checks in the probe thread, each at its own millisecond. */
export interface ProbeRunner {
  take(command: Command): void;
}

/** No check is ordered more than this many milliseconds ahead. A longer wait means that the clock was set back. */
const MAX_WAIT = 10_000;

/** A check that runs longer than this many milliseconds reports how many sockets it may hold. */
const LONG_AFTER = 1000;

/** The AAAA query may still run, over UDP and TCP, while the IPv4 addresses are tried. */
const SOCKETS_OF_LATE_QUERY = 2;

/**
 * Maximum number of checks that start in one turn of the event loop. If more are due, the others start later: all at
 * once would delay each other, which would show in the latencies.
 */
const STARTS_PER_TURN = 50;

/** Parts that a simulation replaces. @property ownNetwork missing without the setting */
export interface ProbeParts {
  clock: ProbeClock;
  probe: typeof probe;
  stallDetector: StallDetector;
  ownNetwork?: OwnNetwork | undefined;
}

/** @param post sends reports to the main thread; reports of one turn of the event loop together */
export function createProbeRunner(
  network: Network,
  post: (reports: CheckReport[]) => void,
  { clock, probe: observe, stallDetector, ownNetwork }: ProbeParts = {
    clock: systemProbeClock,
    probe,
    stallDetector: createStallDetector(),
  },
): ProbeRunner {
  /** The checks that wait for their start or run. */
  const checks = new Map<number, AbortController>();
  const due: (() => void)[] = [];
  let reports: CheckReport[] = [];

  function schedule(id: number, check: Check): void {
    checks.set(id, new AbortController());
    const wait = Math.min(Math.max(0, check.startAt - clock.now()), MAX_WAIT);
    clock.after(wait, () => enqueue(() => run(id, check)));
  }

  function enqueue(start: () => void): void {
    if (due.push(start) === 1) clock.soon(startDue);
  }

  function startDue(): void {
    for (const start of due.splice(0, STARTS_PER_TURN)) start();
    if (due.length > 0) clock.soon(startDue);
  }

  function cancel(id: number): void {
    checks.get(id)?.abort();
    checks.delete(id);
  }

  async function run(id: number, { type, config, timeout }: Check): Promise<void> {
    const end = checks.get(id);
    if (!end) return;
    const start = clock.monotonic();
    const { watched, sockets, held } = countAddresses(network);
    const cancelLong = clock.after(LONG_AFTER, () => {
      ownNetwork?.suspect();
      const count = sockets();
      if (count !== undefined) report({ id, sockets: count });
    });
    const observation = await observe(type, config, { timeout, network: watched, end });
    cancelLong();
    // False if the check was cancelled.
    if (!checks.has(id)) return;
    const endedAt = clock.now();
    const steady = stallDetector.discount(observation, start);
    const reported = ownNetwork ? await ownNetwork.discount(steady, start) : steady;
    if (checks.delete(id)) report({ id, observation: reported, endedAt, held: held() });
  }

  async function look(id: number): Promise<void> {
    await ownNetwork?.look();
    report({ id });
  }

  function report(one: CheckReport): void {
    if (reports.push(one) > 1) return;
    clock.soon(() => {
      post(reports);
      reports = [];
    });
  }

  return {
    take(command) {
      const { id } = command;
      if ("check" in command) schedule(id, command.check);
      else if ("ping" in command) report({ id });
      else if ("look" in command) void look(id);
      else if ("answered" in command) ownNetwork?.answered();
      else cancel(id);
    },
  };
}

/**
 * @returns the network for one check; how many sockets the check may hold from now on, undefined before its name is
 *   resolved; how many it held at most, undefined if no name was resolved
 */
function countAddresses(network: Network) {
  let sockets: number | undefined;
  let held: number | undefined;
  const count = (host: string, addresses: string[]) => {
    const one = isIP(host) ? 1 : addresses.length + SOCKETS_OF_LATE_QUERY;
    // The connections of all redirects are open until the end.
    held = (held ?? 0) + one;
    return one;
  };
  const watched: Network = {
    ...network,
    async addressesOf(host, timeout) {
      const addresses = await network.addressesOf(host, timeout);
      sockets = count(host, addresses);
      return addresses;
    },
    async resolve(host, options) {
      const addresses = await network.resolve(host, options);
      count(host, addresses);
      return addresses;
    },
  };
  return { watched, sockets: () => sockets, held: () => held };
}
