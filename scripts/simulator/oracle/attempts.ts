import type { Ledger, SimChannel, Violation } from "../ledger.ts";
import { doneBy, extended, type OwnFaults, type Stretch, touches } from "./own-faults.ts";

export type SimDelivery = Ledger["deliveries"][number];
export type SimAttempt = Ledger["attempts"][number];

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];

/** The delay before each attempt after the first one (behavior 5.13). */
const DELAYS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE];

/** How long a due attempt takes to start, and an ended one to be recorded. */
export const PROMPT = 3 * SECOND;

interface Context {
  ledger: Ledger;
  faults: OwnFaults;
}

/** The deliveries of one channel with their attempts, in the order in which they were created. */
interface Queue {
  channel: SimChannel;
  deliveries: { delivery: SimDelivery; attempts: SimAttempt[]; readyAt: number | null }[];
}

/**
 * Every notification is sent at least once, in order, and repeated only after a crash between the attempt and its record
 * (behavior 5.11 to 5.16).
 *
 * @param readyAt when a delivery was created, in true time; null if that is not known
 */
export function judgeAttempts(
  context: Context,
  readyAt: (delivery: SimDelivery) => number | null,
): Violation[] {
  const { scenario, deliveries, attempts } = context.ledger;
  const byId = Map.groupBy(attempts, ({ id }) => id);
  const ofChannel = Map.groupBy(deliveries, ({ channel }) => channel);
  const queues = scenario.channels.map(
    (channel): Queue => ({
      channel,
      deliveries: (ofChannel.get(channel.name) ?? []).map((delivery) => ({
        delivery,
        attempts: (byId.get(delivery.id) ?? []).toSorted((a, b) => a.startedAt - b.startedAt),
        readyAt: readyAt(delivery),
      })),
    }),
  );
  return [
    ...judgeContent(context.ledger),
    ...judgeDescriptors(context),
    ...queues.flatMap((queue) => [
      // A held notification is sent after later ones.
      ...(scenario.calm ? [] : judgeOrder(queue)),
      ...queue.deliveries.flatMap((one) => [
        ...judgeOutcome(one, context),
        ...judgeRetries(one, queue, context),
      ]),
      ...judgeStarts(queue, context),
    ]),
  ];
}

/** Each attempt has the content of its delivery. */
function judgeContent({ deliveries, attempts, scenario }: Ledger): Violation[] {
  const known = new Map(deliveries.map((delivery) => [delivery.id, delivery]));
  return attempts.flatMap((attempt): Violation[] => {
    const { id, channel, monitor, previousStatus, status, startedAt } = attempt;
    const delivery = known.get(id);
    const at = { at: startedAt, channel, monitor };
    // Old deliveries are deleted with their results.
    if (!delivery)
      return scenario.retentionDays
        ? []
        : [{ ...at, rule: "each attempt has a delivery", text: `an attempt for the unknown delivery ${id}` }];
    const isEqual =
      delivery.channel === channel &&
      delivery.monitor === monitor &&
      delivery.previousStatus === previousStatus &&
      delivery.newStatus === status;
    return isEqual
      ? []
      : [
          {
            ...at,
            rule: "each attempt has the content of its delivery",
            text: `${previousStatus} to ${status} instead of ${delivery.previousStatus} to ${delivery.newStatus}`,
          },
        ];
  });
}

/** No attempt is made while it would fail for lack of descriptors (behavior 5.39). */
function judgeDescriptors({ ledger: { attempts }, faults: { deaf } }: Context): Violation[] {
  return attempts
    .filter(({ startedAt: at }) => deaf.some(({ from, to }) => from + SECOND < at && at < to))
    .map(({ startedAt: at, channel, monitor }) => ({
      rule: "no attempt is made without a descriptor",
      at,
      channel,
      monitor,
      text: "an attempt while no descriptor is free",
    }));
}

/** One attempt of a channel at a time, and the deliveries in their order (behavior 5.12). */
function judgeOrder({ channel: { name: channel }, deliveries }: Queue): Violation[] {
  const inOrder = deliveries.flatMap(({ attempts }, place) =>
    attempts.map((attempt) => ({ attempt, place })),
  );
  const byTime = inOrder.toSorted((a, b) => a.attempt.startedAt - b.attempt.startedAt);
  return byTime.slice(1).flatMap(({ attempt, place }, before): Violation[] => {
    const previous = byTime[before];
    if (!previous) return [];
    const at = { at: attempt.startedAt, channel, monitor: attempt.monitor };
    if (place < previous.place)
      return [
        {
          ...at,
          rule: "notifications arrive in order",
          text: `an attempt for an older delivery follows ${previous.attempt.startedAt}`,
        },
      ];
    // The end of a lost attempt is not known to the server.
    if (attempt.startedAt < previous.attempt.endedAt && previous.attempt.outcome !== "lost")
      return [
        {
          ...at,
          rule: "one attempt of a channel at a time",
          text: `an attempt starts ${previous.attempt.endedAt - attempt.startedAt} ms before the end of the one before`,
        },
      ];
    return [];
  });
}

type Delivered = Queue["deliveries"][number];

/** The outcome of a delivery follows from its attempts (behavior 5.13, 5.16). */
function judgeOutcome({ delivery, attempts }: Delivered, context: Context): Violation[] {
  const { id, status, monitor, channel } = delivery;
  const unrecorded = attempts.filter((attempt) => mayBeUnrecorded(attempt, context));
  const certain = attempts.filter((attempt) => !unrecorded.includes(attempt));
  const found: string[] = [];
  const has = (group: readonly SimAttempt[], outcome: SimAttempt["outcome"]) =>
    group.some((one) => one.outcome === outcome);
  if (status === "delivered" && !has(attempts, "delivered"))
    found.push("it is delivered without a successful attempt");
  if (status !== "delivered" && has(certain, "delivered"))
    found.push(`it is ${status} after a successful attempt`);
  if (status === "pending" && has(certain, "permanent")) found.push("it is pending after a final failure");
  const failures = attempts.filter(({ outcome }) => outcome === "temporary" || outcome === "timeout").length;
  if (status === "failed" && !has(attempts, "permanent") && failures < 6)
    found.push(`it has failed after ${failures} attempts`);
  if (status === "pending" && certain.length >= 6)
    found.push(`it is pending after ${certain.length} attempts`);
  if (delivery.attempts < certain.length || delivery.attempts > attempts.length)
    found.push(`it has ${delivery.attempts} attempts, but the receiver saw ${attempts.length}`);
  for (const [place, attempt] of attempts.slice(0, -1).entries())
    if (
      (attempt.outcome === "delivered" || attempt.outcome === "permanent") &&
      !mayBeUnrecorded(attempt, context)
    )
      found.push(`attempt ${place + 2} follows one with the outcome ${attempt.outcome}`);
  return found.map((text) => ({
    rule: "a delivery has the outcome of its attempts",
    at: attempts.at(-1)?.startedAt ?? delivery.createdAtWall,
    monitor,
    channel,
    text: `delivery ${id}: ${text}`,
  }));
}

/** Only a process that ends before it could write an outcome forgets it. */
function mayBeUnrecorded({ endedAt, outcome }: SimAttempt, { ledger, faults }: Context): boolean {
  const life = ledger.lives.find(({ from, to }) => from <= endedAt && endedAt <= to);
  if (outcome === "lost" || !life) return true;
  return life.to <= doneBy(endedAt, PROMPT, waits(faults));
}

function waits({ frozen, storage }: OwnFaults): Stretch[] {
  return [...extended(frozen, SECOND), ...extended(storage, 5 * SECOND)];
}

/** The delays between attempts (behavior 5.13, 5.15). */
function judgeRetries(
  { attempts, delivery }: Delivered,
  { channel, deliveries }: Queue,
  context: Context,
): Violation[] {
  const { faults } = context;
  let certain = 0;
  let possible = 0;
  return attempts.slice(1).flatMap((attempt, before): Violation[] => {
    const previous = attempts[before];
    if (!previous) return [];
    if (!mayBeUnrecorded(previous, context)) certain++;
    if (previous.outcome !== "lost") possible++;
    if (mayBeUnrecorded(previous, context)) return [];
    const asked = askedDelay(channel, previous);
    const gap = attempt.startedAt - previous.endedAt;
    const shortest = Math.max(delayAfter(certain), asked.low);
    const longest = Math.max(delayAfter(possible), asked.high);
    const steps = faults.steps.filter(({ at }) => previous.endedAt - SECOND <= at && at <= attempt.startedAt);
    const moved = steps.reduce((sum, { byMs }) => sum + Math.abs(byMs), 0);
    const at = { at: attempt.startedAt, channel: channel.name, monitor: delivery.monitor };
    if (gap < shortest - SECOND - moved && steps.every(({ byMs }) => byMs > 0))
      return [{ ...at, rule: "retries wait", text: `a retry after ${gap} ms instead of ${shortest} ms` }];
    const latest = doneBy(previous.endedAt, longest + Math.min(moved, longest) + PROMPT, notSending(faults));
    // An older notification that was held comes first when it is released.
    const isOvertaken = deliveries.some(
      (other) =>
        other.delivery.id !== delivery.id &&
        other.attempts.some(
          ({ startedAt }) => previous.endedAt <= startedAt && startedAt <= attempt.startedAt,
        ),
    );
    if (attempt.startedAt > latest && !isOvertaken)
      return [
        { ...at, rule: "retries come in time", text: `a retry after ${gap} ms instead of ${longest} ms` },
      ];
    return [];
  });
}

function delayAfter(attempts: number): number {
  return DELAYS[Math.max(1, attempts) - 1] ?? DELAYS.at(-1) ?? 0;
}

/** The delay that the receiver asked for, up to an hour (behavior 5.15). */
function askedDelay(
  { receiver }: SimChannel,
  { startedAt, endedAt, outcome }: SimAttempt,
): { low: number; high: number } {
  if (outcome !== "temporary") return { low: 0, high: 0 };
  const delays = receiver
    .filter(({ from, to }) => from <= endedAt && to >= startedAt)
    .map(({ retryAfterMs = 0 }) => Math.min(retryAfterMs, HOUR));
  return { low: Math.min(...delays, HOUR), high: Math.max(0, ...delays) };
}

/** The oldest pending delivery of a channel is sent at once: none is lost or forgotten (behavior 5.11, 5.13). */
function judgeStarts(
  { channel: { name: channel }, deliveries }: Queue,
  { ledger, faults }: Context,
): Violation[] {
  const violations: Violation[] = [];
  let freeAt = ledger.scenario.from;
  for (const { delivery, attempts, readyAt } of deliveries) {
    const [first, last] = [attempts[0], attempts.at(-1)];
    if (readyAt !== null) {
      const due = Math.max(readyAt, freeAt);
      const latest = doneBy(due, PROMPT, notSending(faults));
      const startedAt = first?.startedAt ?? ledger.scenario.to;
      const isCertain = !touches(
        faults.steps.map(({ at }) => ({ from: at, to: at })),
        { from: due - MINUTE, to: latest },
      );
      if (startedAt > latest && isCertain)
        violations.push({
          rule: "a notification is sent at once",
          at: due,
          monitor: delivery.monitor,
          channel,
          text: first
            ? `delivery ${delivery.id} was sent ${startedAt - due} ms late`
            : `delivery ${delivery.id} was never sent`,
        });
    }
    // The next one waits until this one has ended, which it may never do.
    if (delivery.status === "pending" || !last) freeAt = Number.POSITIVE_INFINITY;
    else freeAt = Math.max(freeAt, last.endedAt);
  }
  return violations;
}

export function notSending({ frozen, absent, storage, deaf }: OwnFaults): Stretch[] {
  return [
    ...extended([...frozen, ...deaf], 2 * SECOND),
    ...extended(absent, 10 * SECOND),
    ...extended(storage, 10 * SECOND),
  ];
}
