import { hasFailure, type Observation } from "../domain/checks/observation.ts";
import { firstUrlOf } from "../domain/monitors/kinds/http-target.ts";
import type { MonitorConfig, ProbedType } from "../domain/monitors/monitor.ts";
import { shownFacts } from "./check-facts.ts";
import { CountingNetwork, type Network } from "./connections/network.ts";
import { probeDns } from "./dns.ts";
import { type Named, probeEveryAddress } from "./every-address.ts";
import { probeGrpc } from "./grpc.ts";
import { type HttpConfig, targetOf } from "./http/request.ts";
import { probeHttp } from "./http.ts";
import { Lifetime } from "./lifetime.ts";
import { type AskedLook, createLooks } from "./look.ts";
import type { OwnNetwork } from "./network-state.ts";
import type { ProbeInput } from "./observe.ts";
import { Deadlines, type ProbeClock, systemProbeClock } from "./probe-clock.ts";
import type { Check, CheckConfig, CheckReport, Command } from "./probe-thread.ts";
import { createStallDetector, type StallDetector } from "./stall-detector.ts";
import { probeTcp } from "./tcp.ts";
import { probeTls } from "./tls.ts";
import { probeWebSocket } from "./websocket.ts";

/** Runs checks in the probe thread, each at its own millisecond. */
interface ProbeRunner {
  take(command: Command): void;
}

/** No check is ordered more than this many milliseconds ahead. A longer wait means that the clock was set back. */
const MAX_WAIT = 10_000;

/** A check that runs longer than this many milliseconds reports how many sockets it may hold. */
const LONG_AFTER = 1000;

/**
 * Maximum number of checks that start in one turn of the event loop. If more are due, the others start later: all at
 * once would delay each other, which would show in the latencies.
 */
const STARTS_PER_TURN = 50;

/** Parts that a simulation replaces. @property ownNetwork missing without the setting */
interface ProbeParts {
  clock: ProbeClock;
  probe: typeof probe;
  stallDetector: StallDetector;
  ownNetwork?: OwnNetwork | undefined;
}

/** A check that waits for its start or runs. */
interface Taken {
  id: number;
  check: Check;
  lifetime: Lifetime;
  network: CountingNetwork;
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
  const checks = new Map<number, Taken>();
  /** By the time at which they start: one timer for all that start together. */
  const starts = new Map<number, Taken[]>();
  const long = new Deadlines(clock, reportLong);
  const due: Taken[] = [];
  const looks = createLooks({
    network,
    whenIdle,
    self: async () => ({
      loopDelayMs: Math.round(stallDetector.delay()),
      online: ((await ownNetwork?.look()) ?? "online") === "online",
    }),
  });
  let reports: CheckReport[] = [];

  function schedule(id: number, check: Check): void {
    const taken: Taken = { id, check, lifetime: new Lifetime(), network: new CountingNetwork(network) };
    checks.set(id, taken);
    const wait = Math.min(check.startAt - clock.now(), MAX_WAIT);
    if (wait > 0) startAfter(wait, taken);
    else enqueue([taken]);
  }

  function startAfter(wait: number, taken: Taken): void {
    const { startAt } = taken.check;
    const others = starts.get(startAt);
    if (others) return void others.push(taken);
    const together = [taken];
    starts.set(startAt, together);
    clock.after(wait, () => {
      starts.delete(startAt);
      enqueue(together);
    });
  }

  function enqueue(more: Taken[]): void {
    if (due.length === 0) clock.soon(startDue);
    for (const taken of more) due.push(taken);
  }

  function startDue(): void {
    for (const taken of due.splice(0, STARTS_PER_TURN)) void run(taken);
    if (due.length > 0) clock.soon(startDue);
  }

  /** Runs a task in a turn of the event loop in which no check is due. */
  function whenIdle(task: () => void): void {
    clock.soon(() => (due.length > 0 ? whenIdle(task) : task()));
  }

  function cancel(id: number): void {
    checks.get(id)?.lifetime.close();
    checks.delete(id);
  }

  async function run(taken: Taken): Promise<void> {
    const { id, lifetime, network: counting } = taken;
    const { type, config, timeout } = taken.check;
    // Cancelled before its start.
    if (lifetime.isOver) return;
    const start = clock.monotonic();
    const watch = stallDetector.begin();
    long.add(LONG_AFTER, taken);
    const observation = await observe(type, config, { timeout, network: counting, lifetime });
    long.delete(LONG_AFTER, taken);
    stallDetector.end();
    // False if the check was cancelled.
    if (!checks.has(id)) return;
    const endedAt = clock.now();
    const steady = stallDetector.discount(observation, watch);
    const reported = ownNetwork ? await ownNetwork.discount(steady, start) : steady;
    if (checks.delete(id)) report({ id, observation: reported, endedAt, held: counting.held });
  }

  function reportLong({ id, network: { sockets } }: Taken): void {
    ownNetwork?.suspect();
    if (sockets !== undefined) report({ id, sockets });
  }

  async function lookAt(id: number, asked: AskedLook): Promise<void> {
    report({ id, looked: await looks(asked) });
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
      else if ("asked" in command) void lookAt(id, command.asked);
      else if ("ping" in command) report({ id });
      else if ("look" in command) void look(id);
      else if ("answered" in command) ownNetwork?.answered();
      else cancel(id);
    },
  };
}

/**
 * How long a success waits for others to be sent with, in milliseconds: to wake the main thread costs more than some ten
 * reports, and the recorder waits longer.
 */
const WAIT = 20;

/** So many are sent at once, because other checks may wait for the sockets of these. */
const MAX_REPORTS = 32;

/** @returns takes reports, and sends them in their order: at once with one that is no success, else together with others */
export function createReportBatches(
  send: (reports: CheckReport[]) => void,
  after: (ms: number, task: () => void) => void,
): (reports: CheckReport[]) => void {
  let waiting: CheckReport[] = [];
  let isTimed = false;

  function flush(): void {
    if (waiting.length > 0) send(waiting);
    waiting = [];
  }

  function flushLater(): void {
    if (isTimed) return;
    isTimed = true;
    after(WAIT, () => {
      isTimed = false;
      flush();
    });
  }

  return (reports) => {
    for (const report of reports) waiting.push(report);
    if (waiting.length >= MAX_REPORTS || !reports.every(isSuccess)) flush();
    else flushLater();
  };
}

function isSuccess(report: CheckReport): boolean {
  if (!("observation" in report)) return false;
  const { observation } = report;
  return observation.outcome !== "inconclusive" && !hasFailure(observation);
}

type Probe<T extends ProbedType> = (config: CheckConfig<T>, input: ProbeInput) => Promise<Observation>;

const ofProtocol = { http: probeHttp, websocket: probeWebSocket, grpc: probeGrpc };

const probes: { [T in ProbedType]: Probe<T> } = {
  HTTP: (config, input) =>
    (config.protocol === undefined ? probeHttp : ofProtocol[config.protocol])(config, input),
  TCP: probeTcp,
  TLS: probeTls,
  DNS: probeDns,
};

/** Probes a target of any type. */
export function probe<T extends ProbedType>(
  type: T,
  config: CheckConfig<T>,
  input: ProbeInput,
): Promise<Observation> {
  const named = "everyAddress" in config && config.everyAddress ? namedIn(config) : undefined;
  const probeOne = async (one: ProbeInput) => withoutSecrets(await probes[type](config, one), config);
  return named ? probeEveryAddress(named, input, probeOne) : probeOne(input);
}

function withoutSecrets<T extends ProbedType>(observation: Observation, config: CheckConfig<T>): Observation {
  if (observation.outcome !== "failed" || !observation.facts) return observation;
  return { ...observation, facts: shownFacts(observation.facts, config as MonitorConfig) };
}

/** The host whose addresses are checked. */
function namedIn(config: Pick<HttpConfig, "url" | "steps" | "ipFamily"> | { host: string }): Named {
  if ("host" in config) return config;
  return { host: targetOf(new URL(firstUrlOf(config))).target.host, family: config.ipFamily };
}
