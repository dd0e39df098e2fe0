import type { AlertMessage, Fact } from "../domain/alerts/alert-event.ts";
import { stateBegan, type Transition } from "../domain/alerts/delivery.ts";
import type { NotifiedCause } from "../domain/causes/causes.ts";
import { isDegradedBy } from "../domain/checks/observation.ts";
import { fill } from "../domain/locale-formats.ts";
import { groupOf, type Status, type StatusGroup } from "../domain/monitors/status.ts";
import { BY_REGISTRATION } from "../domain/registration/registration.ts";
import { oneLine } from "../domain/truncate.ts";
import { type Localization, localizationOf, wordsOf } from "./languages/localization.ts";
import type { Unhealthy } from "./languages/texts.ts";
import { isWithoutRecords, reasonOf } from "./transition-reason.ts";

/**
 * @param baseUrl of the page, without a trailing slash
 * @param now time of the attempt, for a reminder. Default: time of the result
 * @param local of the reader. Default: English
 */
export function describeTransition(
  transition: Transition,
  baseUrl: string,
  {
    now = transition.result.createdAt,
    local = localizationOf("en"),
  }: { now?: number; local?: Localization } = {},
): AlertMessage {
  const { status, result, reminder } = transition;
  const group = groupOf[status];
  return {
    title: titleOf(transition, group, local),
    reason: reasonOf(transition, local),
    facts: factsOf(transition, { began: stateBegan(transition), group, now, local }),
    ...linksTo(transition, baseUrl),
    group,
    at: reminder ? now : result.createdAt,
    words: wordsOf(local),
  };
}

function linksTo(
  { monitor, outage, testOf }: Transition,
  baseUrl: string,
): Pick<AlertMessage, "link" | "outageLink"> {
  if (testOf !== undefined) return { link: `${baseUrl}/channels/${testOf}` };
  const link = `${baseUrl}/monitors/${monitor.id}`;
  return outage ? { link, outageLink: outageLink(outage, baseUrl) } : { link };
}

/** Where people acknowledge an outage; a GET of it changes nothing (behavior 14.60). */
export function outageLink({ id }: { id: string }, baseUrl: string): string {
  return `${baseUrl}/outages/${id}`;
}

/** A reminder must not look like a new outage (behavior 14.62). */
function titleOf(transition: Transition, group: StatusGroup, local: Localization): string {
  const { monitor, status, reminder, testOf } = transition;
  const { title, testName } = local.texts;
  const name = testOf === undefined ? local.isolated(monitor.name) : testName;
  return reminder
    ? fill(title.reminder, { status: stillLabel(status, local), name })
    : fill(titleFor(transition, group, local), { name });
}

/** The label of a status that lasts. */
export function stillLabel(status: Status, { texts }: Localization): string {
  return groupOf[status] === "healthy" ? texts.status[status] : texts.still[status as Unhealthy];
}

function titleFor(transition: Transition, group: StatusGroup, { texts: { title } }: Localization): string {
  const { previousStatus, status, wasDegradedBy, result } = transition;
  const reason = result.detail?.reason;
  if (status === "degraded" && isDegradedBy(reason)) return title.degradedBy[reason].begins;
  if (reason === BY_REGISTRATION && (status === "expiring_soon" || status === "expired"))
    return title.byRegistration[status];
  if (group !== "healthy") return title[status];
  if (status === "active" && result.detail?.registration) return title.nothingExpires;
  if (status === "present" && isWithoutRecords(result.detail)) return title.noRecordAsExpected;
  if (wasDegradedBy) return title.degradedBy[wasDegradedBy].ends;
  const improvement = improvements[`${previousStatus} ${status}`];
  return title[improvement ?? status];
}

/** Changes for the better with titles of their own, by the previous and the new status. */
const improvements: Partial<
  Record<`${Status} ${Status}`, "fastAgain" | "renewed" | "unchangedAgain" | "checkedInAgain">
> = {
  "degraded up": "fastAgain",
  "expiring_soon active": "renewed",
  "changed present": "unchangedAgain",
  "havent_heard ok": "checkedInAgain",
};

/**
 * Times, the group and the reader that the facts of a transition need.
 *
 * @property began when its status began @property now the time of a reminder
 */
interface Moment {
  began: number;
  group: StatusGroup;
  now: number;
  local: Localization;
}

/** Facts of a transition, besides the reason (behavior 5.26, 14.60 to 14.62). */
function factsOf(transition: Transition, moment: Moment): Fact[] {
  const { began, group, local } = moment;
  const { status, fact, monitorType } = local.texts;
  return [
    { label: fact.status, value: statusOf(transition, local) },
    { label: fact.since, value: local.time(began) },
    ...whyFact(transition, local),
    ...sharedCause(transition, local),
    ...seenFrom(transition, local),
    ...(transition.reminder
      ? reminderFacts(transition, moment)
      : group === "healthy"
        ? recoveryFacts(transition, moment)
        : troubleFacts(transition, { ...moment, from: status[transition.previousStatus] })),
    ...acknowledgement(transition, local),
    ...muted(transition, local),
    { label: fact.type, value: monitorType[transition.monitor.type] },
  ];
}

function statusOf({ previousStatus, status, reminder }: Transition, { texts }: Localization): string {
  const [from, to] = [texts.status[previousStatus], texts.status[status]];
  return reminder ? to : fill(texts.value.statusChange, { from, to });
}

/** The summary is English: other readers get the layer in their language before it. */
function whyFact({ why }: Transition, local: Localization): Fact[] {
  if (!why) return [];
  const { fact, value } = local.texts;
  const summary = local.isolated(why.summary);
  if (local.readsRecords || why.layer === "unknown") return [{ label: fact.why, value: summary }];
  return [{ label: fact.why, value: fill(value.why, { layer: value.layer[why.layer], summary }) }];
}

/** Behavior 22.25. A title may have names from users. */
function sharedCause({ cause }: Transition, local: Localization): Fact[] {
  const label = local.texts.fact.together;
  return cause ? [{ label, value: causeTitle(cause, local), isFromUser: true }] : [];
}

export function causeTitle({ title, words }: NotifiedCause, local: Localization): string {
  if (local.readsRecords || !words) return local.isolated(title);
  const { cause, everythingFromHere, causeWithEnd } = local.texts.value;
  const { kind, count, value, endsAfter, isOnlyLocation } = words;
  if (isOnlyLocation) return local.plural(everythingFromHere, count);
  const shown = local.plural(cause[kind], count, { value: local.isolated(value) });
  if (endsAfter === undefined) return shown;
  return fill(causeWithEnd, { cause: shown, address: local.isolated(endsAfter) });
}

function recoveryFacts(transition: Transition, { began, local }: Moment): Fact[] {
  const { since, result } = transition;
  const { fact } = local.texts;
  const start = troubleBegan(transition) ?? since;
  return [
    ...(start === undefined ? [] : [{ label: fact.lasted, value: local.duration(began - start) }]),
    ...latencyFact(fact.latency, result.latencyMs, local),
  ];
}

/** @param from the label of the previous status */
function troubleFacts(transition: Transition, moment: Moment & { from: string }): Fact[] {
  const { since, lastGoodLatencyMs, result } = transition;
  const { began, from, local } = moment;
  const { fact, value } = local.texts;
  const before =
    since !== undefined && fill(value.statusFor, { status: from, duration: local.duration(began - since) });
  return [
    ...olderTrouble(transition, moment),
    ...(before ? [{ label: fact.before, value: before }] : []),
    ...latencyFact(fact.latency, result.latencyMs, local),
    ...latencyFact(fact.lastGoodLatency, lastGoodLatencyMs, local),
  ];
}

/** The trouble goes on, so it has a duration but no end. */
function reminderFacts(transition: Transition, moment: Moment): Fact[] {
  const { began, now, local } = moment;
  const begin = troubleBegan(transition) ?? began;
  const length = local.duration(Math.max(0, now - begin));
  return [...olderTrouble(transition, moment), { label: local.texts.fact.lastedSoFar, value: length }];
}

function olderTrouble(transition: Transition, { began, local }: Moment): Fact[] {
  const begin = troubleBegan(transition);
  if (begin === undefined || begin >= began) return [];
  return [{ label: local.texts.fact.inTroubleSince, value: local.time(begin) }];
}

function troubleBegan({ troubleSince, outage }: Transition): number | undefined {
  return troubleSince ?? outage?.startedAt;
}

function seenFrom({ locations }: Transition, local: Localization): Fact[] {
  if (!locations || locations.seeing.length === 0) return [];
  const { seeing, of } = locations;
  const { fact, value } = local.texts;
  const shown = fill(value.seenFrom, {
    places: local.list(seeing.map(local.isolated)),
    count: local.number(seeing.length),
    total: local.number(of),
  });
  return [{ label: fact.seenFrom, value: shown, isFromUser: true }];
}

function acknowledgement({ acknowledged }: Transition, local: Localization): Fact[] {
  if (!acknowledged) return [];
  const { at, by } = acknowledged;
  const { fact, value } = local.texts;
  const note = oneLine(acknowledged.note ?? "");
  const shown = fill(value.acknowledged, { time: local.time(at), name: local.isolated(by) });
  return [
    { label: fact.acknowledged, value: shown, isFromUser: true },
    ...(note === "" ? [] : [{ label: fact.note, value: local.isolated(note), isFromUser: true } as const]),
  ];
}

function muted({ mutes = 0 }: Transition, { texts, plural }: Localization): Fact[] {
  return mutes === 0 ? [] : [{ label: texts.fact.muted, value: plural(texts.value.muted, mutes) }];
}

function latencyFact(label: string, latencyMs: number | null | undefined, { latency }: Localization): Fact[] {
  return latencyMs == null ? [] : [{ label, value: latency(latencyMs) }];
}
