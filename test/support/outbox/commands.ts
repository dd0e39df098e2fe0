import fc from "fast-check";
import { EVERY_GROUP, type NotifyOn } from "../../../src/domain/alerts/notify.ts";
import { MAX_HOLD } from "./passing-time.ts";
import { MANNERS } from "./receivers.ts";
import type { ChannelSlot, MonitorSlot } from "./slots.ts";
import { CHANNEL_NAMES, MONITOR_KINDS, type MonitorKind } from "./template.ts";
import type { OutboxWorld } from "./world.ts";

/** One step of a run, which says in words, without commas, what it does. */
export type Command = fc.AsyncCommand<OutboxWorld, OutboxWorld>;

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];

const STATUSES: Record<MonitorKind, readonly string[]> = {
  TCP: ["up", "down"],
  DNS: ["present", "changed", "missing"],
  SCHEDULED: ["ok", "failed"],
};

const NOTIFY_ON: readonly NotifyOn[] = [
  EVERY_GROUP,
  ["down", "warning"],
  ["down", "healthy"],
  ["warning", "healthy"],
  ["down"],
];

const DURATIONS = [1, 5, 10, 30, 120, 600, 1800, 3600].map((seconds) => seconds * SECOND);
const JUMPS = [-2 * HOUR, -10 * MINUTE, -20 * SECOND, -SECOND, SECOND, 20 * SECOND, 10 * MINUTE, 2 * HOUR];

interface Step {
  label: string;
  isPossible?: (world: OutboxWorld) => boolean;
  run: (world: OutboxWorld) => Promise<void> | void;
}

function command({ label, isPossible = () => true, run }: Step): Command {
  return { check: isPossible, run: async (world) => run(world), toString: () => label };
}

type ChannelStep = Omit<Step, "isPossible" | "run"> & {
  isPossible?: (slot: ChannelSlot, world: OutboxWorld) => boolean;
  run: (slot: ChannelSlot, world: OutboxWorld) => Promise<void> | void;
};

/** The first is more frequent, so that more commands meet at one channel and one monitor. */
function indexIn({ length }: readonly unknown[]): fc.Arbitrary<number> {
  return fc.oneof(fc.constant(0), fc.nat(length - 1));
}

const channelIndex = indexIn(CHANNEL_NAMES);
const monitorIndex = indexIn(MONITOR_KINDS);

/** A step of an existing channel. @param label after the name of the channel */
function ofChannel(at: number, { label, isPossible = () => true, run }: ChannelStep): Command {
  const slot = (world: OutboxWorld) => world.channels[at] as ChannelSlot;
  return command({
    label: `${CHANNEL_NAMES[at]} ${label}`,
    isPossible: (world) => slot(world).model.exists && isPossible(slot(world), world),
    run: (world) => run(slot(world), world),
  });
}

type MonitorStep = Omit<Step, "isPossible" | "run"> & {
  isPossible?: (slot: MonitorSlot, world: OutboxWorld) => boolean;
  run: (slot: MonitorSlot, world: OutboxWorld) => Promise<void> | void;
};

/** A step of an existing monitor. @param label after the name of the monitor */
function ofMonitor(at: number, { label, isPossible = () => true, run }: MonitorStep): Command {
  const slot = (world: OutboxWorld) => world.monitors[at] as MonitorSlot;
  return command({
    label: `${MONITOR_KINDS[at]?.name} ${label}`,
    isPossible: (world) => slot(world).model.exists && isPossible(slot(world), world),
    run: (world) => run(slot(world), world),
  });
}

const result = fc.tuple(monitorIndex, fc.nat(5)).map(([at, choice]) => {
  const statuses = STATUSES[MONITOR_KINDS[at]?.kind ?? "TCP"];
  const status = statuses[choice % statuses.length] as string;
  return ofMonitor(at, {
    label: `is ${status}`,
    // Checks do not run while their monitor is paused. A job may check in (behavior 1.43).
    isPossible: ({ model, kind }) => model.enabled || kind === "SCHEDULED",
    run: (slot, world) => world.record(slot, status),
  });
});

const manner = fc.tuple(channelIndex, fc.constantFrom(...MANNERS)).map(([at, manner]) =>
  ofChannel(at, {
    label: `${manner.label} from now on`,
    run: (slot) => {
      slot.manner = manner;
    },
  }),
);

const pass = fc.constantFrom(...DURATIONS).map((ms) =>
  command({
    label: `${duration(ms)} pass${ms > MAX_HOLD ? ` (${duration(MAX_HOLD)} while results are held)` : ""}`,
    run: (world) => world.pass(ms),
  }),
);

/** Six times: until a delivery that nobody accepts has failed. */
const passUntilDue = fc.constantFrom(1, 1, 6).map((times) =>
  command({
    label: `time passes until the next attempt is due${times > 1 ? ` (${times} times)` : ""}`,
    run: async (world) => {
      for (let time = 0; time < times; time++) await world.passUntilDue();
    },
  }),
);

const jump = fc.constantFrom(...JUMPS).map((ms) =>
  command({
    label: `the clock is set ${ms < 0 ? "back" : "ahead"} by ${duration(Math.abs(ms))}`,
    run: (world) => world.jump(ms),
  }),
);

const crash = fc.constant(
  command({ label: "the process is killed and started again", run: (world) => world.crash() }),
);

const crashAt = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.constantFrom("none", "all") as fc.Arbitrary<"none" | "all">)
  .map(([call, effect]) =>
    command({
      label: `the process will be killed ${effect === "none" ? "before" : "after"} its ${call}. call of the store from now`,
      run: (world) => world.crashAt({ call, effect }),
    }),
  );

const crashAfterSend = channelIndex.map((at) =>
  ofChannel(at, {
    label: "gets one more notification and the process is killed before it writes the outcome",
    run: (slot) => {
      slot.endsProcess = true;
    },
  }),
);

const disk = fc.constantFrom(
  command({
    label: "the disk rejects writes from now on",
    isPossible: ({ diskFails }) => !diskFails,
    run: (world) => world.rejectWrites(),
  }),
  command({
    label: "the disk accepts writes again",
    isPossible: ({ diskFails }) => diskFails,
    run: (world) => world.acceptWrites(),
  }),
);

const syncs = fc.constantFrom(
  command({
    label: "the disk rejects syncs from now on",
    isPossible: ({ rejectsSyncs }) => !rejectsSyncs,
    run: (world) => world.rejectSyncs(),
  }),
  command({
    label: "the disk accepts syncs again",
    isPossible: ({ rejectsSyncs }) => rejectsSyncs,
    run: (world) => world.acceptSyncs(),
  }),
);

const enable = fc.tuple(channelIndex, fc.boolean()).map(([at, enabled]) =>
  ofChannel(at, {
    label: enabled ? "is enabled" : "is disabled",
    isPossible: ({ model }) => model.enabled !== enabled,
    run: (slot, world) => world.requests.updateChannel(slot, { enabled }),
  }),
);

const notifyOn = fc.tuple(channelIndex, fc.constantFrom(...NOTIFY_ON)).map(([at, groups]) =>
  ofChannel(at, {
    label: `lists ${groups.join(" and ")} in notifyOn`,
    run: (slot, world) => world.requests.updateChannel(slot, { notifyOn: groups }),
  }),
);

const setDefault = fc.tuple(channelIndex, fc.boolean()).map(([at, isDefault]) =>
  ofChannel(at, {
    label: isDefault ? "is a default channel" : "is no default channel",
    isPossible: ({ model }) => model.isDefault !== isDefault,
    run: (slot, world) => world.requests.setDefault(slot, isDefault),
  }),
);

const notify = channelIndex.map((at) =>
  command({
    label: `the location of the organization of ${CHANNEL_NAMES[at]} is silent or connected again`,
    run: (world) => world.requests.notify(world.channels[at] as ChannelSlot),
  }),
);

const changeAddress = channelIndex.map((at) =>
  ofChannel(at, { label: "gets another address", run: (slot, world) => world.requests.changeAddress(slot) }),
);

const replaceChannel = fc.tuple(channelIndex, fc.boolean()).map(([at, isDeletion]) =>
  isDeletion
    ? ofChannel(at, { label: "is deleted", run: (slot, world) => world.requests.deleteChannel(slot) })
    : command({
        label: `a new ${CHANNEL_NAMES[at]} is created`,
        isPossible: ({ channels }) => channels[at]?.model.exists === false,
        run: (world) => world.requests.createChannel(world.channels[at] as ChannelSlot),
      }),
);

const bind = fc.tuple(monitorIndex, channelIndex, fc.boolean()).map(([at, other, isBound]) => {
  const channel = (world: OutboxWorld) => world.channels[other] as ChannelSlot;
  return ofMonitor(at, {
    label: `is ${isBound ? "bound to" : "unbound from"} ${CHANNEL_NAMES[other]}`,
    isPossible: ({ owner, model }, world) =>
      owner.organizationId === channel(world).owner.organizationId &&
      channel(world).model.exists &&
      model.channels.has(channel(world).model) !== isBound,
    run: (slot, world) => world.requests.bind(slot, channel(world), isBound),
  });
});

const pause = fc.tuple(monitorIndex, fc.boolean()).map(([at, enabled]) =>
  ofMonitor(at, {
    label: enabled ? "is resumed" : "is paused",
    isPossible: ({ model }) => model.enabled !== enabled,
    run: (slot, world) => world.requests.enableMonitor(slot, enabled),
  }),
);

const DELAYS = [0, 60, 600];

const setDelay = fc
  .tuple(monitorIndex, channelIndex, fc.constantFrom(...DELAYS))
  .map(([at, other, after]) => {
    const channel = (world: OutboxWorld) => world.channels[other] as ChannelSlot;
    return ofMonitor(at, {
      label: `notifies ${CHANNEL_NAMES[other]} after ${duration(after * SECOND)}`,
      isPossible: ({ model }, world) => model.channels.has(channel(world).model),
      run: (slot, world) => world.requests.setDelay(slot, channel(world), after),
    });
  });

const job = MONITOR_KINDS.findIndex(({ kind }) => kind === "SCHEDULED");

const depend = fc.tuple(monitorIndex, fc.boolean()).map(([at, isDependent]) => {
  const parent = (world: OutboxWorld) => world.monitors[job] as MonitorSlot;
  return ofMonitor(at, {
    label: `depends on ${isDependent ? MONITOR_KINDS[job]?.name : "nothing"}`,
    isPossible: ({ owner, model }, world) =>
      at !== job &&
      owner === parent(world).owner &&
      parent(world).model.exists &&
      model.dependsOn.size > 0 !== isDependent,
    run: (slot, world) => world.requests.setDependencies(slot, isDependent ? [parent(world)] : []),
  });
});

const acknowledge = fc.tuple(monitorIndex, fc.boolean()).map(([at, isTakenBack]) =>
  ofMonitor(at, {
    label: isTakenBack ? "has its acknowledgement taken back" : "is acknowledged",
    isPossible: ({ model }) => model.outage?.isAcknowledged === isTakenBack,
    run: (slot, world) => (isTakenBack ? world.requests.takeBack(slot) : world.requests.acknowledge(slot)),
  }),
);

const replaceMonitor = fc.tuple(monitorIndex, fc.boolean()).map(([at, isDeletion]) =>
  isDeletion
    ? ofMonitor(at, { label: "is deleted", run: (slot, world) => world.requests.deleteMonitor(slot) })
    : command({
        label: `${MONITOR_KINDS[at]?.name} is created again`,
        isPossible: ({ monitors }) => monitors[at]?.model.exists === false,
        run: (world) => world.requests.createMonitor(world.monitors[at] as MonitorSlot),
      }),
);

/** One of all commands. What moves notifications is more frequent than what ends them. */
export const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  { weight: 30, arbitrary: result },
  { weight: 14, arbitrary: manner },
  { weight: 7, arbitrary: pass },
  { weight: 10, arbitrary: passUntilDue },
  { weight: 4, arbitrary: jump },
  { weight: 3, arbitrary: crash },
  { weight: 5, arbitrary: crashAt },
  { weight: 4, arbitrary: crashAfterSend },
  { weight: 6, arbitrary: disk },
  { weight: 4, arbitrary: syncs },
  { weight: 8, arbitrary: enable },
  { weight: 4, arbitrary: notifyOn },
  { weight: 5, arbitrary: changeAddress },
  { weight: 8, arbitrary: notify },
  { weight: 2, arbitrary: setDefault },
  { weight: 3, arbitrary: replaceChannel },
  { weight: 8, arbitrary: bind },
  { weight: 5, arbitrary: pause },
  { weight: 8, arbitrary: setDelay },
  { weight: 6, arbitrary: depend },
  { weight: 8, arbitrary: acknowledge },
  { weight: 2, arbitrary: replaceMonitor },
);

function duration(ms: number): string {
  if (ms >= HOUR) return `${ms / HOUR} h`;
  return ms >= MINUTE ? `${ms / MINUTE} min` : `${ms / SECOND} s`;
}
