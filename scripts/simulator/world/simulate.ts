import type { Plan } from "../../../src/domain/accounts/organization.ts";
import { createLogger, type Logger } from "../../../src/log.ts";
import { hashKey } from "../../../src/store/accounts/api-keys.ts";
import type { ProbeCaller, Store } from "../../../src/store/store.ts";
import { Interruptions } from "../coverage/work.ts";
import type { Ledger, Scenario } from "../ledger.ts";
import { windowsOf } from "../oracle/calm/windows.ts";
import { createDraw, type Draw } from "../truth/draw.ts";
import { createDatabase, type SimulatedDatabase, type SimulatedEngine } from "./database.ts";
import { Machine } from "./machine.ts";
import { createOnCall } from "./on-call.ts";
import { bindingsOf, bodyOf } from "./operator.ts";
import { createPlaces } from "./place.ts";
import { targetOf } from "./probes.ts";
import { readOutcome } from "./read-outcome.ts";
import { pageOf } from "./reader.ts";
import { configOf } from "./receivers.ts";
import type { Surroundings } from "./server.ts";
import { Supervisor } from "./supervisor.ts";
import { traceOf } from "./trace.ts";
import { VirtualTime } from "./virtual-time.ts";

const DEFAULT_RETENTION = 90;

/** How long a clean stop may take at the end; milliseconds. */
const LAST_STOP = 60_000;

/** @property trace a hash of all that happened: equal for each run of a scenario */
export interface Simulated {
  ledger: Ledger;
  trace: string;
  events: number;
  interruptions: Interruptions;
}

export interface SimulateOptions {
  /** Another configuration of the server, to find out whether the oracle notices. */
  configured?: Scenario;
  /** Leaves out no tick, which is slow. */
  everyTick?: boolean;
  log?: Logger;
  /** Default: SQLite. Only there do equal scenarios have equal traces. */
  engine?: SimulatedEngine;
  /** Reads more from the database at the end. */
  readMore?: (end: End) => Promise<void>;
}

/** A run that has ended. */
export interface End {
  ledger: Ledger;
  store: Store;
  organizationId: string;
}

/**
 * Runs a scenario: the real server on virtual time, with a database in memory of the machine. One at a time in a thread,
 * because the random numbers of the thread come from the seed meanwhile.
 */
export async function simulate(scenario: Scenario, options: SimulateOptions = {}): Promise<Simulated> {
  await using database = await createDatabase(options.engine ?? "sqlite");
  using bytes = new SeededBytes(scenario.seed);
  return await simulateIn(database, scenario, { ...options, bytes });
}

async function simulateIn(
  database: SimulatedDatabase,
  scenario: Scenario,
  {
    everyTick = false,
    configured = scenario,
    log = createLogger({ level: "silent" }),
    readMore,
    bytes,
  }: SimulateOptions & { bytes: SeededBytes },
): Promise<Simulated> {
  const ledger = emptyLedger({ ...scenario, writesClaims: !database.isEmbedded });
  const { organizationId, callers } = await setUp(database, configured, { ledger, bytes });
  bytes.continueAs("run");
  const time = new VirtualTime(scenario.from);
  const machine = new Machine(time, scenario.faults);
  const interruptions = new Interruptions(() => time.now);
  const around: Surroundings = {
    interruptions,
    database,
    machine,
    log,
    ledger,
    organizationId,
    everyTick,
    windowEdges: windowEdges(scenario),
    targets: targetsOf(scenario),
    channels: new Map(scenario.channels.map((channel) => [channel.name, channel])),
    retentionDays: scenario.retentionDays ?? DEFAULT_RETENTION,
  };
  const supervisor = new Supervisor(around);
  using places = createPlaces(ledger, callers, { ...around, time, server: supervisor.server });
  const { settle } = database;
  if (settle) {
    supervisor.begin();
    await time.runSettled(scenario.to, settle);
    supervisor.end();
    await time.runSettled(scenario.to + LAST_STOP, settle, () => supervisor.hasEnded());
  } else {
    await outsideOfMicrotasks(() => {
      supervisor.begin();
      places.begin();
      time.run(scenario.to);
      places.end();
      supervisor.end();
      time.run(scenario.to + LAST_STOP, () => supervisor.hasEnded());
    });
  }
  if (!supervisor.hasEnded()) throw new Error("the server did not stop at the end");
  await readOutcome(database, { ledger, organizationId, now: scenario.to });
  if (readMore) {
    const store = database.open();
    await readMore({ ledger, store, organizationId }).finally(store.close);
  }
  return { ledger, trace: traceOf(ledger, time.events), events: time.events, interruptions };
}

/** Microtasks can be drained only from outside of one. */
function outsideOfMicrotasks(work: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    setImmediate(() => {
      try {
        using _ = immediateTurns();
        work();
        resolve();
      } catch (error) {
        reject(error);
      }
    });
  });
}

function emptyLedger(scenario: Scenario): Ledger {
  return {
    scenario,
    monitorIds: new Map(),
    channelIds: new Map(),
    personIds: new Map(),
    scheduleIds: new Map(),
    checks: [],
    checkins: [],
    starts: [],
    attempts: [],
    notices: [],
    requests: [],
    looks: [],
    months: new Map(),
    lives: [],
    results: [],
    deliveries: [],
    outages: [],
    evidence: [],
    placeLives: [],
    uptimes: new Map(),
    statuses: new Map(),
    blindSince: new Map(),
  };
}

/** Creates the organization, the channels, the locations and the monitors. @property callers by name of the location */
async function setUp(
  database: SimulatedDatabase,
  { from, monitors, channels, locations = [], maintenances = [], whole, onCall }: Scenario,
  { ledger, bytes }: { ledger: Ledger; bytes: SeededBytes },
): Promise<{ organizationId: string; callers: Map<string, ProbeCaller> }> {
  const store = database.open();
  try {
    const terms = { plan: "enterprise" as Plan, subscription: "active" as const };
    const { id: organizationId } = await store.organizations.create({ name: "Simulated", ...terms }, from);
    const owner = { organizationId, plan: terms.plan };
    for (const channel of channels) {
      const { name, type, notifyOn } = channel;
      const values = { name, type, notifyOn, config: configOf(channel), enabled: true };
      ledger.channelIds.set(name, (await store.channels.create(owner, values, from)).id);
    }
    if (onCall) await createOnCall(store, onCall, { organizationId, ledger, now: from });
    const callers = new Map<string, ProbeCaller>();
    const locationIds = new Map([["here", "here"]]);
    for (const { name } of locations) {
      const key = `stillup_probe_${name}`;
      locationIds.set(name, (await store.locations.create({ organizationId, name, key }, from)).id);
      const caller = await store.locations.findProbe(hashKey(key));
      if (caller) callers.set(name, caller);
    }
    for (const monitor of monitors) {
      const { name, type, config, confirmations, recoveries, places, tags, dependsOn } = monitor;
      bytes.continueAs(name);
      const placement = places && {
        locations: places.names.map((place) => locationIds.get(place) ?? ""),
        downWhen: places.downWhen,
      };
      const created = await store.monitors.create(
        owner,
        {
          ...{ name, type, config, confirmations, recoveries, tags, ...placement },
          alertBindings: [
            ...bindingsOf(monitor, monitor.channelNames, ledger),
            ...Object.entries(monitor.schedules ?? {}).map(([schedule, patience]) => {
              return { scheduleId: ledger.scheduleIds.get(schedule) ?? "", ...patience };
            }),
          ],
          dependsOn: dependsOn?.map((parent) => ledger.monitorIds.get(parent) ?? ""),
        },
        from,
      );
      ledger.monitorIds.set(name, created.id);
    }
    for (const maintenance of maintenances)
      await store.maintenances.create(organizationId, bodyOf(maintenance, ledger), from);
    if (whole) {
      await store.pages.create(organizationId, pageOf(ledger), from);
      await store.configuration.storeRefs(organizationId, from);
      // A module that is loaded at its first use would take time that is not virtual.
      await store.configuration.apply(organizationId, {}, { prune: "none", isDryRun: true }, from);
    }
    return { organizationId, callers };
  } finally {
    await store.close();
  }
}

/** When windows begin and end, unless an operator ends them or refuses to create them. */
function windowEdges({ from, to, maintenances = [], requests = [] }: Scenario): number[] {
  const created = requests.flatMap((one) => (one.kind === "create maintenance" ? [one.maintenance] : []));
  return [...maintenances, ...created]
    .flatMap(({ window }) => windowsOf(window, { from, to }))
    .flatMap((window) => [window.from, window.to])
    .sort((a, b) => a - b);
}

function targetsOf({ monitors }: Scenario): Surroundings["targets"] {
  const probed = monitors.filter(({ type }) => type !== "SCHEDULED");
  const targets = new Map(probed.map((monitor) => [targetOf(monitor.config), monitor]));
  if (targets.size < probed.length) throw new Error("two monitors of a scenario have the same target");
  return targets;
}

/** Turns of the event loop that the store lets pass end within microtasks, until the end of the `using` block. */
function immediateTurns(): Disposable {
  const real = globalThis.setImmediate;
  globalThis.setImmediate = ((task: () => void) => queueMicrotask(task)) as typeof real;
  return {
    [Symbol.dispose]() {
      globalThis.setImmediate = real;
    },
  };
}

/** Takes the random bytes of this thread from a seed, until the end of the `using` block. */
class SeededBytes implements Disposable {
  readonly #real = crypto.getRandomValues;
  readonly #all: Draw;
  #draw: Draw;

  constructor(seed: number) {
    this.#all = createDraw(seed).fork("bytes");
    this.#draw = this.#all;
    crypto.getRandomValues = ((array: Uint8Array | BigUint64Array) => {
      const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
      for (let at = 0; at < bytes.length; at++) bytes[at] = this.#draw.whole(0, 255);
      return array;
    }) as typeof crypto.getRandomValues;
  }

  /** The bytes from now on don't depend on those before: a monitor has the same ID whichever others there are. */
  continueAs(name: string): void {
    this.#draw = this.#all.fork(name);
  }

  [Symbol.dispose](): void {
    crypto.getRandomValues = this.#real;
  }
}
