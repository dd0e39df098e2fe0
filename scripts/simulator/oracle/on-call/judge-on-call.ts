import { checkTimeout } from "../../../../src/domain/checks/check-slot.ts";
import { groupOf } from "../../../../src/domain/monitors/status.ts";
import type { Ledger, Patience, SimMonitor, Violation } from "../../ledger.ts";
import { closedHours } from "../calm/hours.ts";
import { acknowledgements } from "../calm/situation.ts";
import { has, type Known } from "../calm/stretches.ts";
import { judgeDemand } from "../demand.ts";
import { extended, type OwnFaults, ownFaults, type Stretch, touches, without } from "../own-faults.ts";
import { Rosters } from "./rosters.ts";

const [SECOND, MINUTE] = [1000, 60_000];

/** How long it takes at most until what is to be sent is sent: the monitor may be checked first. */
const SETTLED = 45 * SECOND;

/** From the decision that somebody is notified to the first attempt, if the server runs. */
const PROMPT = 10 * SECOND;

/** From an event to the commit of what follows from it. */
const COMMIT = 2 * SECOND;

export const WRONG = "only whoever is on call is notified";
export const LOST = [
  "trouble that lasts is notified to whoever is on call",
  "trouble that lasts is repeated",
];

/**
 * Finds notifications that the wrong person got, that a channel got twice, and that nobody got. Every rule is stated here from
 * sections 14 and 23 of docs/behavior, without the functions of the product that decide. The clock is right in these scenarios.
 */
export function findOnCallViolations(ledger: Ledger): Violation[] {
  const { scenario } = ledger;
  if (!scenario.onCall) return [];
  const faults = ownFaults(ledger);
  const rosters = new Rosters(ledger, scenario.onCall);
  return [
    ...scenario.monitors.flatMap((monitor) => judgeMonitor(monitor, { ledger, faults, rosters })),
    ...judgeDemand(ledger, faults),
  ].sort((a, b) => a.at - b.at);
}

/**
 * A notification that a channel got.
 *
 * @property createdAt of its delivery @property decidedAt when it was decided who gets it
 */
export interface Sent {
  channel: string;
  resultId: string | null;
  isTrouble: boolean;
  isReminder: boolean;
  createdAt: number;
  decidedAt: number;
  attempts: Ledger["attempts"];
}

/** @property setsAt the channels that it notifies at a moment; several sets if it is not clear @property isDirect to a channel, not a schedule */
interface Binding {
  after: number;
  every: number;
  hours: Patience["hours"];
  isDirect: boolean;
  closed: Known;
  setsAt: (at: number) => string[][];
}

/** @property isClear whether the server surely knows when it began and ended @property seen until it is noticed at the latest */
interface Trouble extends Stretch {
  isClear: boolean;
  seen: number;
}

interface Context {
  monitor: SimMonitor;
  sent: Sent[];
  outages: Stretch[];
  troubles: Trouble[];
  bindings: Binding[];
  disturbed: Stretch[];
  /** When nothing is demanded: the server did not run, or starts and has not checked yet. */
  unclear: Stretch[];
  acknowledged: Known;
  /** When a monitor is down on which this one depends. */
  caused: Known;
  scenario: Ledger["scenario"];
}

function judgeMonitor(
  monitor: SimMonitor,
  { ledger, faults, rosters }: { ledger: Ledger; faults: OwnFaults; rosters: Rosters },
): Violation[] {
  const { scenario } = ledger;
  const outages = outagesOf(monitor.name, ledger);
  // After its start, a server has a minute until what it missed is sent.
  const disturbed = extended([...faults.absent, ...faults.frozen], MINUTE);
  // A server that starts checks its targets again within their interval.
  const interval = monitor.type === "SCHEDULED" ? 0 : (monitor.config.interval ?? 300) * SECOND;
  const worsening = outages.map((outage) => ({ ...outage, worsenedAt: [] }));
  const causes = (monitor.dependsOn ?? []).flatMap((cause) => outagesOf(cause, ledger));
  const context: Context = {
    ...{ monitor, outages, disturbed, scenario },
    troubles: troublesOf(monitor, ledger),
    bindings: bindingsOf(monitor, rosters, scenario),
    unclear: extended(disturbed, interval),
    acknowledged: acknowledgements(monitor.name, worsening as never, { ledger }),
    caused: {
      surely: causes.map(({ from, to }) => ({ from: from + COMMIT, to: to - COMMIT })),
      possibly: causes.map(({ from, to }) => ({ from: from - COMMIT, to: to + COMMIT })),
    },
    sent: sentOf(monitor, ledger),
  };
  return [
    ...judgeRight(context),
    ...judgeOnce(context),
    ...judgeTrouble(context),
    ...judgeRecoveries(context),
  ].map((violation) => ({ ...violation, monitor: monitor.name }));
}

function outagesOf(monitor: string, ledger: Ledger): Stretch[] {
  return ledger.outages
    .filter((one) => one.monitor === monitor)
    .map(({ startedAtWall, endedAtWall }) => ({
      from: startedAtWall,
      to: endedAtWall ?? Number.POSITIVE_INFINITY,
    }));
}

function bindingsOf(monitor: SimMonitor, rosters: Rosters, span: Stretch): Binding[] {
  const bindingOf = ({ after, every, hours }: Patience, isDirect: boolean, setsAt: Binding["setsAt"]) => ({
    ...{ after: after * SECOND, every: every * SECOND, hours, isDirect, setsAt },
    closed: closedHours({ ...(hours && { hours }) }, span),
  });
  return [
    ...Object.entries(monitor.schedules ?? {}).map(([schedule, patience]) =>
      bindingOf(patience, false, (at) => rosters.channelsAt(schedule, at)),
    ),
    ...monitor.channelNames.map((channel) =>
      bindingOf(monitor.patience?.[channel] ?? { after: 0, every: 0 }, true, () => [[channel]]),
    ),
  ];
}

/** The troubles of the target, or those that a job reported and a server took. */
function troublesOf(monitor: SimMonitor, ledger: Ledger): Trouble[] {
  if (monitor.type !== "SCHEDULED") {
    const interval = monitor.config.interval ?? 300;
    const seen = interval * SECOND + checkTimeout({ interval });
    const down = (monitor.segments ?? []).filter(({ kind }) => kind === "down");
    return down.map(({ from, to }) => ({ from, to, seen, isClear: true }));
  }
  const calls = ledger.checkins.filter((call) => call.monitor === monitor.name);
  return calls.flatMap(({ at, status, accepted }, place): Trouble[] => {
    const [before, next] = [calls[place - 1], calls[place + 1]];
    if (status !== "fail" || !next) return [];
    const isClear = accepted && next.accepted && before?.accepted !== false;
    return [{ from: at, to: next.at, seen: COMMIT, isClear }];
  });
}

export function sentOf(monitor: SimMonitor, { deliveries, attempts }: Ledger): Sent[] {
  const byId = Map.groupBy(
    attempts.filter((attempt) => attempt.monitor === monitor.name),
    ({ id, channel }) => `${id} ${channel}`,
  );
  return deliveries
    .filter((one) => one.monitor === monitor.name)
    .flatMap(({ id, channel, newStatus, resultId, createdAtWall: createdAt }): Sent[] => {
      const own = (byId.get(`${id} ${channel}`) ?? []).toSorted((a, b) => a.startedAt - b.startedAt);
      const isTrouble = groupOf[newStatus] !== "healthy";
      const isReminder = own[0]?.reminder ?? resultId === null;
      // A notification by a channel's own binding may be held.
      const isDirect = monitor.channelNames.includes(channel);
      const decidedAt = isDirect ? own[0]?.startedAt : createdAt;
      if (decidedAt === undefined) return [];
      return [{ channel, resultId, isTrouble, isReminder, createdAt, decidedAt, attempts: own }];
    })
    .sort((a, b) => a.decidedAt - b.decidedAt);
}

/** Trouble goes to whoever is on call when it is sent, while it lasts, and not before the delay. */
function judgeRight(context: Context): Violation[] {
  const { sent, outages, bindings, disturbed } = context;
  return sent.flatMap((one, place): Violation[] => {
    const { channel, decidedAt: at, attempts, isReminder } = one;
    const found = { at, channel, text: isReminder ? "a reminder" : "a notification" };
    const startedAt = attempts[0]?.startedAt ?? Number.POSITIVE_INFINITY;
    if (startedAt - at > PROMPT && !touches(disturbed, { from: at, to: Math.min(startedAt, at + MINUTE) }))
      return [{ ...found, rule: "what is decided is sent at once" }];
    if (!one.isTrouble) return [];
    const outage = outages.findLast(({ from, to }) => from - SECOND <= at && at <= to + SECOND);
    if (!outage) return [{ ...found, rule: "trouble is notified while it lasts" }];
    const reaches = ({ setsAt }: Binding) =>
      [at, one.createdAt].some((time) => setsAt(time).some((channels) => channels.includes(channel)));
    const own = bindings.filter(reaches);
    if (own.length === 0) {
      const due = bindings.flatMap(({ setsAt }) => setsAt(at).flat()).join(", ");
      return [{ ...found, rule: WRONG, text: `${found.text}, and those of the person on call are ${due}` }];
    }
    const previous = sent.slice(0, place).findLast((other) => other.channel === channel);
    const reasons = own.map((binding) => objection({ one, binding, previous, outage, context }));
    const [rule] = reasons;
    return rule && !reasons.includes(undefined) ? [{ ...found, rule }] : [];
  });
}

/** The rule that a notification of trouble by a binding breaks. */
function objection({
  one: { decidedAt: at, isReminder },
  binding: { after, every, hours, isDirect, closed },
  previous,
  outage,
  context: { monitor, acknowledged, caused },
}: {
  one: Sent;
  binding: Binding;
  previous: Sent | undefined;
  outage: Stretch;
  context: Context;
}): string | undefined {
  if (at < outage.from + after - SECOND) return "whoever is on call is not notified before the delay";
  if (has(closed.surely, at)) return "nobody is notified outside the hours";
  const isLate = isReminder || ((after > 0 || hours) && !monitor.dependsOn);
  if (isLate && has(acknowledged.surely, at)) return "acknowledged trouble is not notified again";
  const isCaused = caused.surely.some(({ from, to }) => from < outage.from && outage.from < at && at < to);
  if (isCaused) return "trouble with a cause is muted";
  if (!isReminder) return undefined;
  // A channel has the reminders of its own binding also if a schedule notified it meanwhile.
  const isEarly = !isDirect && previous && at - previous.decidedAt < every - 2 * SECOND;
  return every === 0 || isEarly ? "a reminder waits" : undefined;
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
  const { bindings, troubles, unclear, acknowledged, caused } = context;
  const others = [...unclear, ...acknowledged.possibly, ...caused.possibly];
  return bindings.flatMap((binding) =>
    troubles.flatMap(({ from, to, seen, isClear }) => {
      const due = from + seen + binding.after;
      if (!isClear || due >= to) return [];
      const near = [...others, ...binding.closed.possibly].filter((one) => one.from < to && one.to > from);
      // Trouble outside of such hours is never notified, and nothing else is known of it.
      const isDropped = touches(near, { from: from + binding.after, to: due + SETTLED });
      if (binding.hours?.outside === "drop" && isDropped) return [];
      return without({ from: due, to }, near)
        .filter((clear) => clear.to - clear.from > SETTLED)
        .flatMap((clear) => judgeClear(clear, { from, binding, context }));
    }),
  );
}

/** A stretch without faults in which whoever is on call has to know about trouble. @param from when the trouble began */
function judgeClear(
  clear: Stretch,
  { from, binding, context }: { from: number; binding: Binding; context: Context },
): Violation[] {
  const { every, setsAt } = binding;
  const told = context.sent.filter(
    ({ isTrouble, decidedAt, attempts }) =>
      isTrouble && from <= decidedAt && decidedAt <= clear.to + SECOND && attempts.length > 0,
  );
  /** Whether all channels of whoever was on call at a moment had got something since another one. */
  const isComplete = (at: number, since: number) =>
    setsAt(at).some((channels) =>
      channels.every((channel) =>
        told.some((one) => one.channel === channel && since < one.decidedAt && one.decidedAt <= at + SECOND),
      ),
    );
  const times = [...new Set(told.map(({ decidedAt }) => decidedAt))];
  // After the delay, another schedule may have notified them already: then this one has nothing to send.
  const settled = clear.from + SETTLED;
  const minutes = Math.floor((settled - from - binding.after) / MINUTE);
  const due = Array.from({ length: minutes + 1 }, (_, minute) => settled - minute * MINUTE);
  const isKnown = [...times, ...due].some((at) => at <= settled && isComplete(at, from - 1));
  if (!isKnown) {
    const at = settled;
    const text = `not all of ${setsAt(at).join(" or ")} got it since ${new Date(from).toISOString()}`;
    return [{ at, rule: LOST[0] ?? "", text }];
  }
  if (every === 0) return [];
  // Another schedule may have notified the same channels shortly before.
  const most = (context.bindings.length > 1 ? 2 : 1) * every + SETTLED;
  const repeated = times.filter((at) => clear.from <= at && at <= clear.to && isComplete(at, at - every));
  let last = clear.from;
  for (const at of [...repeated, clear.to]) {
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
