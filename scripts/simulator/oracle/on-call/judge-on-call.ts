import { checkTimeout } from "../../../../src/domain/checks/check-slot.ts";
import { groupOf } from "../../../../src/domain/monitors/status.ts";
import type { Ledger, Patience, SimMonitor, SimOnCall, Violation } from "../../ledger.ts";
import { judgeDemand } from "../demand.ts";
import { extended, type OwnFaults, ownFaults, type Stretch, touches, without } from "../own-faults.ts";
import { turnsOf } from "./turns.ts";

const [SECOND, MINUTE, DAY] = [1000, 60_000, 86_400_000];

/** How long it takes at most until what is to be sent is sent: the monitor may be checked first. */
const SETTLED = 45 * SECOND;

/** From the decision that somebody is notified to the first attempt, if the server runs. */
const PROMPT = 10 * SECOND;

const WRONG = "only whoever is on call is notified";
const LOST = ["trouble that lasts is notified to whoever is on call", "trouble that lasts is repeated"];

/** The figures of a run. @property turns how often somebody else was on call @property notifications of trouble and recoveries that people got */
export interface OnCallFigures {
  personDays: number;
  turns: number;
  notifications: number;
  lost: number;
  wrong: number;
}

export function onCallFigures(ledger: Ledger, violations: readonly Violation[]): OnCallFigures {
  const { onCall, from, to } = ledger.scenario;
  let turns = 0;
  for (const schedule of onCall?.schedules ?? []) {
    const personAt = turnsOf(schedule, onCall?.people ?? [], { from, to });
    for (let at = from + MINUTE; at < to; at += MINUTE) if (personAt(at) !== personAt(at - MINUTE)) turns++;
  }
  return {
    personDays: ((onCall?.people.length ?? 0) * (to - from)) / DAY,
    turns,
    notifications: new Set(ledger.attempts.map(({ id }) => id)).size,
    lost: violations.filter(({ rule }) => LOST.includes(rule)).length,
    wrong: violations.filter(({ rule }) => rule === WRONG).length,
  };
}

/**
 * Finds notifications that the wrong person got, that a channel got twice, and that nobody got. Every rule is stated here from
 * section 23 of docs/behavior, without the functions of the product that decide. The clock is right in these scenarios.
 */
export function findOnCallViolations(ledger: Ledger): Violation[] {
  const { scenario } = ledger;
  const faults = ownFaults(ledger);
  if (!scenario.onCall) return [];
  const receivers = receiversOf(scenario.onCall, scenario);
  return [
    ...scenario.monitors.flatMap((monitor) => judgeMonitor(monitor, { ledger, faults, receivers })),
    ...judgeDemand(ledger, faults),
  ].sort((a, b) => a.at - b.at);
}

/** The channels that a schedule notifies at a moment: all channels of whoever is on call, or the default channels. */
type Receivers = ReadonlyMap<string, (at: number) => string[]>;

function receiversOf({ people, schedules, defaults }: SimOnCall, span: Stretch): Receivers {
  return new Map(
    schedules.map((schedule) => {
      const personAt = turnsOf(schedule, people, span);
      const channelsAt = (at: number) => {
        const person = people.find(({ name }) => name === personAt(at));
        return person && person.channels.length > 0 ? person.channels : defaults;
      };
      return [schedule.name, channelsAt];
    }),
  );
}

/** A notification that a channel got. @property decidedAt when it was decided who gets it */
interface Sent {
  channel: string;
  resultId: string | null;
  isTrouble: boolean;
  isReminder: boolean;
  decidedAt: number;
  attempts: Ledger["attempts"];
}

interface Context {
  monitor: SimMonitor;
  sent: Sent[];
  outages: { from: number; to: number }[];
  bindings: (Patience & { channelsAt: (at: number) => string[] })[];
  disturbed: Stretch[];
  scenario: Ledger["scenario"];
}

function judgeMonitor(
  monitor: SimMonitor,
  { ledger, faults, receivers }: { ledger: Ledger; faults: OwnFaults; receivers: Receivers },
): Violation[] {
  const bindings = Object.entries(monitor.schedules ?? {}).map(([schedule, { after, every }]) => {
    const channelsAt = receivers.get(schedule) ?? (() => []);
    return { after: after * SECOND, every: every * SECOND, channelsAt };
  });
  const outages = ledger.outages
    .filter((one) => one.monitor === monitor.name)
    .map(({ startedAtWall, endedAtWall }) => ({
      from: startedAtWall,
      to: endedAtWall ?? Number.POSITIVE_INFINITY,
    }));
  // After its start, a server has a minute until what it missed is sent.
  const disturbed = extended([...faults.absent, ...faults.frozen], MINUTE);
  const context = {
    ...{ monitor, bindings, outages, disturbed, scenario: ledger.scenario },
    sent: sentOf(monitor, ledger),
  };
  return [
    ...judgeRight(context),
    ...judgeOnce(context),
    ...judgeTrouble(context),
    ...judgeRecoveries(context),
  ].map((violation) => ({ ...violation, monitor: monitor.name }));
}

function sentOf(monitor: SimMonitor, { deliveries, attempts }: Ledger): Sent[] {
  const byId = Map.groupBy(attempts, ({ id, channel }) => `${id} ${channel}`);
  return deliveries
    .filter((one) => one.monitor === monitor.name)
    .flatMap(({ id, channel, newStatus, resultId, createdAtWall }): Sent[] => {
      const own = (byId.get(`${id} ${channel}`) ?? []).toSorted((a, b) => a.startedAt - b.startedAt);
      const isTrouble = groupOf[newStatus] !== "healthy";
      const isReminder = own[0]?.reminder ?? resultId === null;
      return [{ channel, resultId, isTrouble, isReminder, decidedAt: createdAtWall, attempts: own }];
    })
    .sort((a, b) => a.decidedAt - b.decidedAt);
}

/** Trouble goes to whoever is on call when it is sent, while it lasts, and not before the delay. */
function judgeRight({ sent, outages, bindings, disturbed }: Context): Violation[] {
  return sent.flatMap((one, place): Violation[] => {
    const { channel, decidedAt: at, attempts, isReminder } = one;
    const found = { at, channel, text: isReminder ? "a reminder" : "a notification" };
    const startedAt = attempts[0]?.startedAt ?? Number.POSITIVE_INFINITY;
    if (startedAt - at > PROMPT && !touches(disturbed, { from: at, to: Math.min(startedAt, at + MINUTE) }))
      return [{ ...found, rule: "what is decided is sent at once" }];
    if (!one.isTrouble) return [];
    const outage = outages.findLast(({ from, to }) => from - SECOND <= at && at <= to + SECOND);
    if (!outage) return [{ ...found, rule: "trouble is notified while it lasts" }];
    const own = bindings.filter(({ channelsAt }) => channelsAt(at).includes(channel));
    if (own.length === 0) {
      const due = bindings.flatMap(({ channelsAt }) => channelsAt(at)).join(", ");
      return [{ ...found, rule: WRONG, text: `${found.text}, and those of the person on call are ${due}` }];
    }
    if (own.every(({ after }) => at < outage.from + after - SECOND))
      return [{ ...found, rule: "whoever is on call is not notified before the delay" }];
    if (!isReminder) return [];
    const previous = sent.slice(0, place).findLast((other) => other.channel === channel);
    const isEarly = (every: number) =>
      every === 0 || (previous && at - previous.decidedAt < every - 2 * SECOND);
    if (own.every(({ every }) => isEarly(every))) return [{ ...found, rule: "a reminder waits" }];
    return [];
  });
}

/** A channel gets each notification once, whichever schedules reach it. Only a server that dies may send it again. */
function judgeOnce({ sent }: Context): Violation[] {
  const twice = [...Map.groupBy(sent, keyOf).values()].flatMap(([, second]) =>
    second
      ? [{ at: second.decidedAt, channel: second.channel, text: "another one about the same change" }]
      : [],
  );
  const repeated = sent.flatMap(({ channel, attempts }) =>
    attempts
      .slice(1)
      .filter((_, place) => attempts[place]?.outcome !== "lost")
      .map(({ startedAt }) => ({ at: startedAt, channel, text: "the same one, although it had arrived" })),
  );
  return [...twice, ...repeated].map((found) => ({
    ...found,
    rule: "a channel gets each notification once",
  }));
}

function keyOf({ channel, resultId, isReminder, decidedAt }: Sent): string {
  return `${channel} ${isReminder ? decidedAt : resultId}`;
}

/** By the truth about the target, whatever was recorded of it. */
function judgeTrouble(context: Context): Violation[] {
  const { monitor, bindings, disturbed } = context;
  const interval = (monitor.config.interval ?? 300) * SECOND;
  const seen = interval + checkTimeout({ interval: interval / SECOND });
  // A server that starts checks its targets again within their interval.
  const unclear = extended(disturbed, interval);
  return bindings.flatMap((binding) =>
    (monitor.segments ?? [])
      .filter(({ kind }) => kind === "down")
      .flatMap(({ from, to }) =>
        without({ from: from + seen + binding.after, to }, unclear)
          .filter((clear) => clear.to - clear.from > SETTLED)
          .flatMap((clear) => judgeClear(clear, { from, binding, context })),
      ),
  );
}

/** A stretch without faults in which whoever is on call has to know about trouble. @param from when the trouble began */
function judgeClear(
  clear: Stretch,
  { from, binding, context }: { from: number; binding: Context["bindings"][number]; context: Context },
): Violation[] {
  const { every, channelsAt } = binding;
  const told = context.sent.filter(
    ({ isTrouble, decidedAt, attempts }) =>
      isTrouble && from <= decidedAt && decidedAt <= clear.to + SECOND && attempts.length > 0,
  );
  /** When all channels of whoever was on call had got something since a moment. */
  const completeSince = (since: (at: number) => number, more: readonly number[] = []) =>
    [...new Set([...told.map(({ decidedAt }) => decidedAt), ...more])].filter((at) =>
      channelsAt(at).every((channel) =>
        told.some(
          (one) => one.channel === channel && since(at) < one.decidedAt && one.decidedAt <= at + SECOND,
        ),
      ),
    );
  // After the delay, another schedule may have notified them already: then this one has nothing to send.
  const settled = clear.from + SETTLED;
  const minutes = Math.floor((settled - from - binding.after) / MINUTE);
  const due = Array.from({ length: minutes + 1 }, (_, minute) => settled - minute * MINUTE);
  const known = completeSince(() => from - 1, due).some((at) => at <= settled);
  if (!known) {
    const at = settled;
    const text = `not all of ${channelsAt(at).join(", ")} got it since ${new Date(from).toISOString()}`;
    return [{ at, rule: LOST[0] ?? "", text }];
  }
  if (every === 0) return [];
  // Another schedule may have notified the same channels shortly before.
  const most = (context.bindings.length > 1 ? 2 : 1) * every + SETTLED;
  const times = completeSince((at) => at - every).filter((at) => clear.from <= at && at <= clear.to);
  let last = clear.from;
  for (const at of [...times, clear.to]) {
    if (at - last > most)
      return [{ at: last + most, rule: LOST[1] ?? "", text: `nothing for ${(at - last) / SECOND} s` }];
    last = at;
  }
  return [];
}

/** Each channel that was notified of trouble gets its end once, and no other channel does. */
function judgeRecoveries({ sent, outages, disturbed, scenario }: Context): Violation[] {
  const needless = sent.flatMap((one, place): Violation[] => {
    if (one.isTrouble) return [];
    const previous = sent.slice(0, place).findLast(({ channel }) => channel === one.channel);
    if (previous?.isTrouble) return [];
    const rule = "a recovery follows the trouble that was notified";
    return [{ at: one.decidedAt, channel: one.channel, rule, text: "a recovery" }];
  });
  const missing = outages.flatMap(({ from, to }): Violation[] => {
    if (to + SETTLED > scenario.to || touches(disturbed, { from: to, to: to + SETTLED })) return [];
    const told = sent.filter((one) => one.isTrouble && from - SECOND <= one.decidedAt && one.decidedAt <= to);
    return [...new Set(told.map(({ channel }) => channel))]
      .filter((channel) => {
        const last = sent.findLast((one) => one.channel === channel && one.decidedAt <= to + SETTLED);
        return last?.isTrouble;
      })
      .map((channel) => ({
        ...{ at: to + SETTLED, channel, text: "it was notified of the trouble only" },
        rule: "whoever was notified of trouble is notified of its end",
      }));
  });
  return [...needless, ...missing];
}
