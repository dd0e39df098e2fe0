import { groupOf } from "../../../../src/domain/monitors/status.ts";
import type { SimChannel, Violation } from "../../ledger.ts";
import type { Stretch } from "../own-faults.ts";
import { type MonitorSituation, patienceOf, type SeenOutage, tooEarly } from "./situation.ts";
import { covers, not, united } from "./stretches.ts";
import type { Told } from "./told.ts";

const SECOND = 1000;

/**
 * Every notification had a moment at which it was to be sent: its status was the present one, and nothing that the truth
 * knows for sure spoke against it.
 */
export function judgeAllowed(
  situation: MonitorSituation,
  channel: SimChannel,
  { told, span }: { told: readonly Told[]; span: Stretch },
): Violation[] {
  return told.flatMap((one, place) => {
    const earlier = told.slice(0, place);
    const reasons = reasonsAgainst(one, { earlier, situation, channel, span });
    const [alone] = reasons.filter(([, stretches]) => covers(stretches, one.release));
    const all = united(reasons.flatMap(([, stretches]) => stretches));
    const rule =
      alone?.[0] ?? (covers(all, one.release) ? "a notification has a moment that allows it" : undefined);
    if (!rule) return [];
    const text = `${one.isReminder ? "reminder of " : ""}${one.previousStatus} to ${one.status}`;
    return [{ rule, at: one.startedAt, monitor: situation.monitor.name, channel: channel.name, text }];
  });
}

type Reason = [rule: string, stretches: Stretch[]];

function reasonsAgainst(
  { status, isReminder, delivery }: Told,
  {
    earlier,
    situation,
    channel,
    span,
  }: { earlier: readonly Told[]; situation: MonitorSituation; channel: SimChannel; span: Stretch },
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
  if (after > 0 || isReminder) reasons.push(["acknowledged trouble is not notified", acknowledged.surely]);
  return reasons;
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
