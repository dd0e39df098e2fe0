import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../../src/clock.ts";
import { checkTimeout } from "../../../src/domain/checks/check-slot.ts";
import type { Logger } from "../../../src/log.ts";
import { createOwnNetwork, type NetworkState } from "../../../src/probes/network-state.ts";
import type { ProbeClock } from "../../../src/probes/probe-clock.ts";
import type { NetworkView } from "../../../src/probes/probe-thread.ts";
import { createServerTime } from "../../../src/remote-probe/checking.ts";
import { createRemoteProbe } from "../../../src/remote-probe/remote-probe.ts";
import { openProbeStore } from "../../../src/store/buffer/probe-store.ts";
import type { ProbeCaller } from "../../../src/store/store.ts";
import { memoryDir } from "../../../test/support/temp-dir.ts";
import type { Interruptions } from "../coverage/work.ts";
import type { Ledger, Sample, SimLocation, SimMonitor } from "../ledger.ts";
import { createDraw, type Draw } from "../truth/draw.ts";
import { Machine } from "./machine.ts";
import { createPlaceLink } from "./place-link.ts";
import { createPlaceTicks } from "./place-ticks.ts";
import { startProbes } from "./probes.ts";
import type { Server } from "./server.ts";
import { EventLoop, type VirtualTime } from "./virtual-time.ts";

/** How long a look at the network waits for an answer; milliseconds. */
const LOOK_TIMEOUT = 2000;

/** Shared by all remote locations. */
export interface PlaceSurroundings {
  time: VirtualTime;
  log: Logger;
  ledger: Ledger;
  interruptions: Interruptions;
  targets: ReadonlyMap<string, SimMonitor>;
  server: () => Server | undefined;
}

/** A remote location: the real parts of a remote probe, whose process dies and starts again. */
class SimPlace implements Disposable {
  readonly #dataDir = mkdtempSync(join(memoryDir(), "stillup-place-"));
  #life: Life | undefined;

  constructor(
    private readonly location: SimLocation,
    private readonly caller: ProbeCaller,
    private readonly draw: Draw,
    private readonly around: PlaceSurroundings,
  ) {}

  /** Plans the faults and starts the first life. */
  begin(): void {
    const { time } = this.around;
    for (const { kind, from, to } of this.location.faults) {
      if (kind === "restart") time.at(from, () => this.#restart(to));
      if (kind !== "kill") continue;
      time.at(from, () => this.end());
      time.at(to, () => this.#start());
    }
    this.#start();
  }

  /** The process dies. */
  end(): void {
    const life = this.#life;
    this.#life = undefined;
    life?.end();
  }

  [Symbol.dispose](): void {
    this.end();
    rmSync(this.#dataDir, { recursive: true });
  }

  #start(): void {
    if (this.#life) return;
    const { location, caller, draw, around } = this;
    this.#life = startLife({ location, caller, draw, around, dataDir: this.#dataDir });
  }

  #restart(to: number): void {
    const life = this.#life;
    const { time } = this.around;
    void life?.stop().then(() => {
      if (this.#life === life) this.end();
      time.at(Math.max(to, time.now + 1), () => this.#start());
    });
  }
}

/** @param callers of the locations, by name */
export function createPlaces(
  { scenario: { seed, locations = [] } }: Ledger,
  callers: ReadonlyMap<string, ProbeCaller>,
  around: PlaceSurroundings,
) {
  const places = locations.map((location) => {
    const caller = callers.get(location.name);
    if (!caller) throw new Error(`the location ${location.name} has no key`);
    return new SimPlace(location, caller, createDraw(`${seed} ${location.name}`), around);
  });
  return {
    begin() {
      for (const place of places) place.begin();
    },
    /** All processes die. */
    end() {
      for (const place of places) place.end();
    },
    [Symbol.dispose]() {
      for (const place of places) place[Symbol.dispose]();
    },
  };
}

interface Life {
  stop(): Promise<void>;
  end(): void;
}

function startLife({
  location,
  caller,
  draw,
  around: { time, log, ledger, interruptions, targets, server },
  dataDir,
}: {
  location: SimLocation;
  caller: ProbeCaller;
  draw: Draw;
  around: PlaceSurroundings;
  dataDir: string;
}): Life {
  const main = new EventLoop(time);
  const has = (...kinds: string[]) =>
    location.faults.some(({ kind, from, to }) => kinds.includes(kind) && from <= time.now && time.now < to);
  const { thread, loop } = startProbes({
    machine: new Machine(time, []),
    main,
    targets: seenFrom(location, targets),
    checks: ledger.checks,
    interruptions,
    place: location.name,
    watchNetwork: (clock) => watchNetwork(clock, { main, isOffline: () => has("offline") }),
  });
  const system: Pick<Clock, "monotonic" | "sleep" | "after"> = {
    monotonic: () => main.monotonic(),
    sleep: (ms) => new Promise((resolve) => void main.after(ms, resolve)),
    after: (ms, task) => main.after(ms, () => void task()),
  };
  const serverTime = createServerTime({ system, wall: () => Math.floor(time.now), log });
  const ticks = createPlaceTicks(main, location.faults);
  const store = openProbeStore(dataDir);
  const link = createPlaceLink({
    loop: main,
    caller,
    server,
    begin: (name) => interruptions.begin(name, location.name),
    isPartitioned: () => has("partition", "offline"),
  });
  const remote = createRemoteProbe({
    link: {
      ...link,
      async poll(query, signal) {
        const work = await link.poll(query, signal);
        ticks.note(work);
        return work;
      },
    },
    store,
    time: { ...serverTime, clock: { ...serverTime.clock, every: ticks.every } },
    probes: thread,
    system,
    log,
    random: draw.fraction,
    onConnected() {},
    mayPing: () => true,
  });
  const born = time.now;
  time.add(main, loop);
  remote.start();
  return {
    stop: remote.stop,
    end() {
      time.remove([main, loop]);
      store.close();
      ledger.placeLives.push({ place: location.name, from: born, to: time.now });
    },
  };
}

/** The targets, as a location with these faults sees them. */
function seenFrom({ faults }: SimLocation, targets: ReadonlyMap<string, SimMonitor>) {
  const seen = [...targets].map(([target, monitor]) => {
    const isHidden = (at: number) =>
      faults.some(
        (fault) =>
          fault.from <= at &&
          at < fault.to &&
          (fault.kind === "broken" || fault.kind === "offline" || isCut(fault, monitor)),
      );
    const sample = (startedAt: number): Sample => {
      const timeout = checkTimeout({ interval: monitor.config.interval ?? 300 });
      const detail = { message: `no connection within ${timeout / 1000} s` };
      if (isHidden(startedAt))
        return { observation: { outcome: "failed", reason: "timeout", detail }, tookMs: timeout };
      return monitor.sample?.(startedAt) as Sample;
    };
    return [target, { ...monitor, sample }] as const;
  });
  return new Map(seen);
}

function isCut(fault: SimLocation["faults"][number], { name }: SimMonitor): boolean {
  return fault.kind === "cut" && fault.monitor === name;
}

/** The real look at the network of the location; only its connections are simulated. */
function watchNetwork(clock: ProbeClock, { main, isOffline }: { main: EventLoop; isOffline: () => boolean }) {
  let state: NetworkState = "online";
  const listeners: ((state: NetworkState) => void)[] = [];
  const own = createOwnNetwork({
    async isAnswered() {
      if (!isOffline()) return true;
      await new Promise<void>((resolve) => void clock.after(LOOK_TIMEOUT, resolve));
      return false;
    },
    onState(seen) {
      main.after(0, () => {
        const isChange = seen !== state;
        state = seen;
        if (isChange) for (const listener of listeners) listener(state);
      });
    },
    clock,
  });
  const view: NetworkView = {
    state: () => state,
    look: own.look,
    answered: own.answered,
    onChange: (listener) => void listeners.push(listener),
  };
  return { own, view };
}
