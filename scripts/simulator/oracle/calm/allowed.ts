import { groupOf } from "../../../../src/domain/monitors/status.ts";
import type { SimChannel, Violation } from "../../ledger.ts";
import { type Stretch, touches } from "../own-faults.ts";
import { SETTLED } from "./required.ts";
import { type MonitorSituation, patienceOf, type SeenOutage, tooEarly } from "./situation.ts";
import { covers, has, not, united } from "./stretches.ts";
import type { Told } from "./told.ts";

const SECOND = 1000;

/**
 * Every notification had a moment at which it was to be sent: its status was the present one, and nothing that the truth
 * knows for sure spoke against it.
 */
export function judgeAllowed(
  situation: MonitorSituation,
  channel: SimChannel,
  { told, span, disturbed }: { told: readonly Told[]; span: Stretch; disturbed: readonly Stretch[] },
): Violation[] {
  return told.flatMap((one, place) => {
    const earlier = told.slice(0, place);
    const reasons = reasonsAgainst(one, { earlier, situation, channel, span, disturbed });
    const [alone] = reasons.filter(([, stretches]) => covers(stretches, one.release));
    const all = united(reasons.flatMap(([, stretches]) => stretches));
    const rule =
      alone?.[0] ?? (covers(all, one.release) ? "a notification has a moment that allows it" : undefined);
    if (!rule) return [];
    const text = `${one.isReminder ? "reminder of " : ""}${one.previousStatus} to ${one.status}`;
    return [{ rule, at: one.startedAt, monitor: situation.monitor.name, channel: channel.name, text }];
  });
}

interface Context {
  situation: MonitorSituation;
  channel: SimChannel;
  span: Stretch;
  disturbed: readonly Stretch[];
}

type Reason = [rule: string, stretches: Stretch[]];

function reasonsAgainst(
  { status, isReminder, delivery }: Told,
  { earlier, situation, channel, span, disturbed }: Context & { earlier: readonly Told[] },
): Reason[] {
  const { outages, spells, inWindow, muted, acknowledged } = situation;
  const own = situation.during(spells.filter((spell) => spell.status === status));
  const reasons: Reason[] = [["a notification is true when it is sent", not(own, span).surely]];
  const last = earlier.at(-1);
  if (groupOf[status] === "healthy") {
    if (!last || groupOf[last.status] === "healthy")
      reasons.push(["a recovery follows the trouble that was notified", [span]]);
    return reasons;
  }
  const { after } = patienceOf(situation.monitor, channel.name);
  const isWorse =
    isReminder || isWorseThan(status, lastIn(earlier, outageAt(outages, delivery.createdAtWall)));
  reasons.push(["no trouble is notified in a window", inWindow.surely]);
  if (isWorse) reasons.push(["a monitor is muted while one that it depends on is down", muted.surely]);
  // A reminder after a pause is about trouble that the channel knows, although it is another outage (behavior 14.27).
  const isKnown = isReminder && last !== undefined && groupOf[last.status] !== "healthy";
  if (!isKnown) reasons.push(["a channel waits until trouble has lasted", tooEarly(outages, after).surely]);
  const closed = situation.closed(channel.name);
  reasons.push(["no trouble is notified outside the hours of a channel", closed.surely]);
  const isLate = after > 0 || isReminder || has(closed.surely, delivery.createdAtWall);
  if (isLate) reasons.push(["acknowledged trouble is not notified", acknowledged.surely]);
  if (!isReminder && isDropped(delivery.createdAtWall, { situation, channel, span, disturbed }))
    reasons.push(["trouble that the hours of a channel drop is not notified", [span]]);
  return reasons;
}

/** Whether a notification of a moment is withdrawn at once, because the hours of its channel drop what is outside of them. */
function isDropped(at: number, { situation, channel, span, disturbed }: Context): boolean {
  const { monitor, muted, inWindow, pauses } = situation;
  const { after, hours } = monitor.patience?.[channel.name] ?? {};
  if (hours?.outside !== "drop" || after !== 0) return false;
  const decided = { from: at - SECOND, to: at + SETTLED };
  const isOutside = covers(situation.closed(channel.name).surely, decided);
  const others = [
    ...muted.possibly,
    ...inWindow.possibly,
    ...pauses.map(({ from }) => ({ from, to: span.to })),
  ];
  return isOutside && !touches([...others, ...disturbed], decided);
}

function outageAt(outages: readonly SeenOutage[], at: number): SeenOutage | undefined {
  return outages.findLast(({ since }) => since <= at + SECOND);
}

/** The last notification about an outage. */
function lastIn(told: readonly Told[], outage: SeenOutage | undefined): Told | undefined {
  const last = told.at(-1);
  return outage && last && last.delivery.createdAtWall >= outage.since - SECOND ? last : undefined;
}

/** Only a change for the worse, or of trouble that the channel does not know, is muted. */
function isWorseThan(status: Told["status"], last: Told | undefined): boolean {
  return !last || (groupOf[status] === "down" && groupOf[last.status] === "warning");
}

/** Each change is notified once. */
export function judgeRepetitions(
  { monitor, spells, inWindow }: MonitorSituation,
  channel: SimChannel,
  told: readonly Told[],
): Violation[] {
  const changes = told.filter(({ isReminder }) => !isReminder);
  const known = spells.filter(({ status }) => status !== "unknown");
  return changes.slice(1).flatMap((one, before): Violation[] => {
    const previous = changes[before];
    if (!previous || previous.status !== one.status) return [];
    const between = known.filter(
      ({ from, status }) =>
        previous.delivery.createdAtWall < from && from <= one.delivery.createdAtWall && status !== one.status,
    );
    const isFromWindow = inWindow.possibly.some(
      ({ from, to }) => from <= one.startedAt && to >= previous.startedAt,
    );
    if (between.length > 0 || isFromWindow) return [];
    const text = `${one.status} was notified ${(one.startedAt - previous.startedAt) / 1000} s before`;
    return [
      {
        rule: "each change is notified once",
        at: one.startedAt,
        monitor: monitor.name,
        channel: channel.name,
        text,
      },
    ];
  });
}
