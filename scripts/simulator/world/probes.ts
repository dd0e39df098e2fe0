import type { Observation } from "../../../src/domain/checks/observation.ts";
import { createNetwork } from "../../../src/probes/connections/network.ts";
import type { OwnNetwork } from "../../../src/probes/network-state.ts";
import type { ProbeClock } from "../../../src/probes/probe-clock.ts";
import { createProbeRunner } from "../../../src/probes/probe-runner.ts";
import type {
  Check,
  CheckListeners,
  CheckReport,
  NetworkView,
  ProbeThread,
} from "../../../src/probes/probe-thread.ts";
import {
  type CoreWaits,
  createStallDetector,
  type StallDetector,
} from "../../../src/probes/stall-detector.ts";
import type { Interruptions } from "../coverage/work.ts";
import type { Ledger, Sample, SimMonitor } from "../ledger.ts";
import { needsResolver } from "../truth/blind.ts";
import type { Machine } from "./machine.ts";
import { EventLoop } from "./virtual-time.ts";

/** A target closes a connection on which it has heard nothing for so long; milliseconds. */
const PATIENCE_OF_TARGETS = 10_000;

/** How long a query waits for a silent resolver, if the timeout of the check is longer; milliseconds. */
const RESOLVER_TIMEOUT = 5000;

/** The machines of remote locations have no faults that it would find. */
const NEVER_STALLED: StallDetector = {
  begin: () => 0,
  end() {},
  discount: (observation) => observation,
  delay: () => 0,
};

const CANCELLED: Observation = { outcome: "inconclusive", message: "the check was cancelled" };

const NO_WAITS: CoreWaits = { note() {}, since: () => 0 };

/** A probed monitor by what identifies its target in a config. */
export function targetOf(config: object): string {
  const { url, host, port, hostname, recordType } = config as Record<string, unknown>;
  return JSON.stringify([url, host, port, hostname, recordType]);
}

/**
 * The probe thread of one life: the real runner and stall detector on an event loop of their own, with targets that
 * answer what the truth says.
 */
export function startProbes({
  machine,
  main,
  targets,
  checks,
  interruptions,
  place,
  watchNetwork,
}: {
  machine: Machine;
  main: EventLoop;
  targets: ReadonlyMap<string, SimMonitor>;
  checks: Ledger["checks"];
  interruptions: Interruptions;
  /** The name of a remote location. */
  place?: string;
  /** With the setting `networkCheck`. */
  watchNetwork?: (clock: ProbeClock, main: EventLoop) => { own: OwnNetwork; view: NetworkView };
}): { thread: ProbeThread; loop: EventLoop; pulse: () => void } {
  const loop = new EventLoop(machine.time);
  const pulse = createPulse(machine, loop);
  const clock: ProbeClock = {
    now: () => machine.wall(),
    monotonic: () => loop.monotonic(),
    after: (ms, task) => void loop.after(ms, task),
    soon: (task) => void loop.after(0, task),
    repeat: pulse.repeat,
  };
  const network = { ...createNetwork({ privateTargets: "allow" }), addressesOf: async () => ["192.0.2.1"] };
  const stallDetector = watchNetwork
    ? NEVER_STALLED
    : createStallDetector(
        { ...pulse, monotonic: pulse.madeUp, now: pulse.wall },
        () => machine.has("no-descriptors"),
        NO_WAITS,
      );
  const pending = new Map<number, { listeners: CheckListeners } & Settle>();
  const ids = new Map<Check, number>();
  let lastId = 0;

  const watched = watchNetwork?.(clock, main);
  const runner = createProbeRunner(network, (reports) => void main.after(0, () => receive(reports)), {
    clock,
    stallDetector,
    ownNetwork: watched?.own,
    async probe(_type, config, { timeout, network: seen, lifetime }) {
      const monitor = targets.get(targetOf(config));
      if (!monitor?.sample) throw new Error(`no truth for ${targetOf(config)}`);
      void seen.addressesOf("", timeout);
      const startedAt = machine.time.now;
      const end = interruptions.begin("check", place);
      const ended = (observation: Observation, more: { cancelled?: true } = {}) => {
        end();
        const endedAt = machine.time.now;
        const disturbed = machine.isDisturbed(startedAt, endedAt);
        checks.push({
          ...{ monitor: monitor.name, startedAt, endedAt, observation, disturbed, ...more },
          ...(place !== undefined && { place }),
        });
      };
      let isEnded = false;
      const close = () => {
        if (!isEnded) ended(CANCELLED, { cancelled: true });
      };
      lifetime?.add({ close });
      const observation = await observe(monitor.sample?.(startedAt) as Sample, {
        timeout,
        isNamed: needsResolver(config),
      });
      pulse.makeUp();
      isEnded = true;
      if (!lifetime?.isOver) ended(observation);
      return observation;
    },
  });

  /** The observation of a sample on a machine with faults. */
  async function observe(
    { observation, tookMs }: Sample,
    { timeout, isNamed }: { timeout: number; isNamed: boolean },
  ): Promise<Observation> {
    const startedAt = machine.time.now;
    const start = loop.monotonic();
    const own = ownFault(machine, { timeout, isNamed });
    await new Promise<void>((resolve) => void loop.after(own ? own.tookMs : tookMs, resolve));
    if (own) return own.observation;
    if (observation.outcome === "failed") return observation;
    if (machine.suspendedWithin(startedAt, machine.time.now) > PATIENCE_OF_TARGETS)
      return { outcome: "failed", reason: "reset", detail: { message: "the server reset the connection" } };
    const late = loop.monotonic() - start - tookMs;
    if (tookMs + late >= timeout)
      return {
        outcome: "failed",
        reason: "timeout",
        detail: { message: `no answer within ${timeout / 1000} s` },
      };
    return withLatency(observation, late);
  }

  function receive(reports: CheckReport[]): void {
    for (const report of reports) {
      if ("network" in report || "dns" in report || "looked" in report) continue;
      const waiting = pending.get(report.id);
      if ("sockets" in report) waiting?.listeners.onSockets?.(report.sockets);
      if (!("observation" in report)) continue;
      pending.delete(report.id);
      waiting?.listeners.onEnd?.(report.endedAt);
      waiting?.resolve(report.observation);
    }
  }

  const thread: ProbeThread = {
    run(check, listeners = {}) {
      const { promise, resolve } = Promise.withResolvers<Observation>();
      const id = ++lastId;
      pending.set(id, { listeners, resolve });
      ids.set(check, id);
      void promise.then(() => ids.delete(check));
      loop.after(0, () => runner.take({ id, check }));
      return promise;
    },
    cancel(check) {
      const id = ids.get(check);
      if (id === undefined) return;
      pending.get(id)?.resolve(CANCELLED);
      pending.delete(id);
      loop.after(0, () => runner.take({ id, cancel: true }));
    },
    ping: () => Promise.resolve(),
    look: () => Promise.reject(new Error("the simulator has no look")),
    sockets: () => 0,
    network: watched?.view,
    stop: () => {},
  };
  return { thread, loop, pulse: pulse.tickAroundFault };
}

interface Settle {
  resolve(observation: Observation): void;
}

/** The observation of every probe during a fault of this machine, instead of its target. */
function ownFault(
  machine: Machine,
  { timeout, isNamed }: { timeout: number; isNamed: boolean },
): Sample | undefined {
  if ((machine.has("resolver-silent") && isNamed) || machine.has("network-gone")) {
    const tookMs = machine.has("network-gone") ? 1 : Math.min(RESOLVER_TIMEOUT, timeout);
    return { tookMs, observation: { outcome: "inconclusive", message: "no DNS server can be reached" } };
  }
  if (!machine.has("no-descriptors")) return undefined;
  // As Bun reports it: see `stall-detector.ts`.
  const detail = { message: "the connection was refused" };
  return { tookMs: 0, observation: { outcome: "failed", reason: "refused", detail } };
}

function withLatency(observation: Observation, late: number): Observation {
  if (late <= 0 || !("latencyMs" in observation) || observation.latencyMs === null) return observation;
  return { ...observation, latencyMs: observation.latencyMs + late };
}

/** How often the timer of the stall detector ticks around a fault. Descriptors are counted on every fourth tick. */
const TICKS_AROUND_FAULTS = 12;

/**
 * The timer of the stall detector. It would tick 40 times a second, so that a check of 10 s would take 400 events. But
 * only the last tick before a check, before its end and before a fault, and those after a fault matter. The clock of the
 * detector does not count the time of the ticks that are left out, so that it sees no delay.
 */
function createPulse(machine: Machine, loop: EventLoop) {
  let tick = () => {};
  let period = 0;
  /** Milliseconds of the ticks that were left out. */
  let skipped = 0;
  /** When the last tick was due; monotonic. */
  let lastAt = loop.monotonic();
  let ticksLeft = 0;
  /** The time that the loop shows during a tick that was due before. */
  let shown: number | undefined;
  const monotonic = () => shown ?? loop.monotonic();

  /** Runs the last tick that was due. */
  function makeUp(): void {
    if (ticksLeft > 0 || period === 0) return;
    const now = loop.monotonic();
    const due = lastAt + Math.floor((now - lastAt) / period) * period;
    if (due <= lastAt) return;
    skipped += due - lastAt - period;
    lastAt = shown = due;
    tick();
    shown = undefined;
  }

  function next(): void {
    lastAt = loop.monotonic();
    tick();
    if (--ticksLeft > 0) loop.after(period, next);
  }

  return {
    monotonic: () => monotonic() - skipped,
    wall: () => machine.wall() - skipped - (loop.monotonic() - monotonic()),
    repeat(ms: number, task: () => void) {
      [period, tick, lastAt] = [ms, task, loop.monotonic()];
      return () => {
        tick = () => {};
      };
    },
    /** Ticks for some time. */
    tickAroundFault() {
      makeUp();
      if (ticksLeft === 0) loop.after(Math.max(0, lastAt + period - loop.monotonic()), next);
      ticksLeft = TICKS_AROUND_FAULTS;
    },
    makeUp,
    /** The time, after the last tick that was due. */
    madeUp(): number {
      makeUp();
      return monotonic() - skipped;
    },
  };
}
