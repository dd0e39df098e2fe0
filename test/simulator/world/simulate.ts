import type { Plan } from "../../../src/domain/accounts/organization.ts";
import { createLogger, type Logger } from "../../../src/log.ts";
import type { Ledger, Scenario } from "../ledger.ts";
import { createDraw } from "../truth/draw.ts";
import { createDatabase, type SimulatedDatabase, type SimulatedEngine } from "./database.ts";
import { Machine } from "./machine.ts";
import { targetOf } from "./probes.ts";
import { readOutcome } from "./read-outcome.ts";
import { urlOf } from "./receivers.ts";
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
}

export interface SimulateOptions {
  /** Leaves out no tick, which is slow. */
  everyTick?: boolean;
  log?: Logger;
  /** Default: SQLite. Only there do equal scenarios have equal traces. */
  engine?: SimulatedEngine;
}

/**
 * Runs a scenario: the real server on virtual time, with a database in memory of the machine. One at a time in a thread,
 * because the random numbers of the thread come from the seed meanwhile.
 */
export async function simulate(scenario: Scenario, options: SimulateOptions = {}): Promise<Simulated> {
  await using database = await createDatabase(options.engine ?? "sqlite");
  using _ = seededBytes(scenario.seed);
  return await simulateIn(database, scenario, options);
}

async function simulateIn(
  database: SimulatedDatabase,
  scenario: Scenario,
  { everyTick = false, log = createLogger({ level: "silent", format: "json" }) }: SimulateOptions,
): Promise<Simulated> {
  const ledger = emptyLedger({ ...scenario, writesClaims: !database.isEmbedded });
  const organizationId = await setUp(database, scenario, ledger);
  const time = new VirtualTime(scenario.from);
  const machine = new Machine(time, scenario.faults);
  const around: Surroundings = {
    database,
    machine,
    log,
    ledger,
    everyTick,
    targets: targetsOf(scenario),
    channels: new Map(scenario.channels.map((channel) => [channel.name, channel])),
    retentionDays: scenario.retentionDays ?? DEFAULT_RETENTION,
  };
  const supervisor = new Supervisor(around);
  const { settle } = database;
  if (settle) {
    supervisor.begin();
    await time.runSettled(scenario.to, settle);
    supervisor.end();
    await time.runSettled(scenario.to + LAST_STOP, settle, () => supervisor.hasEnded());
  } else {
    await outsideOfMicrotasks(() => {
      supervisor.begin();
      time.run(scenario.to);
      supervisor.end();
      time.run(scenario.to + LAST_STOP, () => supervisor.hasEnded());
    });
  }
  if (!supervisor.hasEnded()) throw new Error("the server did not stop at the end");
  await readOutcome(database, { ledger, organizationId, now: scenario.to });
  return { ledger, trace: traceOf(ledger, time.events), events: time.events };
}

/** Microtasks can be drained only from outside of one. */
function outsideOfMicrotasks(work: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    setImmediate(() => {
      try {
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
    checks: [],
    checkins: [],
    attempts: [],
    lives: [],
    results: [],
    deliveries: [],
    outages: [],
    uptimes: new Map(),
    statuses: new Map(),
  };
}

/** Creates the organization, the channels and the monitors. @returns the ID of the organization */
async function setUp(
  database: SimulatedDatabase,
  { from, monitors, channels }: Scenario,
  ledger: Ledger,
): Promise<string> {
  const store = database.open();
  try {
    const terms = { plan: "enterprise" as Plan, subscription: "active" as const };
    const { id: organizationId } = await store.organizations.create({ name: "Simulated", ...terms }, from);
    const owner = { organizationId, plan: terms.plan };
    for (const { name, type, notifyOn } of channels) {
      const values = { name, type, notifyOn, config: { url: urlOf(name) }, enabled: true };
      ledger.channelIds.set(name, (await store.channels.create(owner, values, from)).id);
    }
    for (const { channelNames, name, type, config, confirmations, recoveries } of monitors) {
      const alertChannelIds = channelNames.map((channel) => ledger.channelIds.get(channel) ?? "");
      const values = { name, type, config, confirmations, recoveries, alertChannelIds };
      const created = await store.monitors.create(owner, values, from);
      ledger.monitorIds.set(name, created.id);
    }
    return organizationId;
  } finally {
    await store.close();
  }
}

function targetsOf({ monitors }: Scenario): Surroundings["targets"] {
  const probed = monitors.filter(({ type }) => type !== "SCHEDULED");
  const targets = new Map(probed.map((monitor) => [targetOf(monitor.config), monitor]));
  if (targets.size < probed.length) throw new Error("two monitors of a scenario have the same target");
  return targets;
}

/** Takes the random bytes of this thread from a seed, until the end of the `using` block. */
function seededBytes(seed: number): Disposable {
  const draw = createDraw(seed).fork("bytes");
  const real = crypto.getRandomValues;
  crypto.getRandomValues = ((bytes: Uint8Array) => bytes.map(() => draw.whole(0, 255))) as typeof real;
  return {
    [Symbol.dispose]() {
      crypto.getRandomValues = real;
    },
  };
}
