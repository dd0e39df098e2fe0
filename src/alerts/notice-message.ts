import {
  type AlertMessage,
  type BlindnessNotice,
  forNotice,
  type LocationNotice,
  type MaintenanceNotice,
  type Notice,
} from "../domain/alerts/alert-event.ts";
import { fill } from "../domain/locale-formats.ts";
import { oneLine } from "../domain/truncate.ts";
import { type Localization, wordsOf } from "./languages/localization.ts";

/** The most monitors that are named. */
const MAX_MONITORS = 10;

/** The message of a notice (behavior 1.60, 13.61, 14.46). @param baseUrl of the page, without a trailing slash */
export function describeNotice(notice: Notice, baseUrl: string, local: Localization): AlertMessage {
  const content = forNotice<Content>(notice, {
    location: (one) => describeLocation(one, local),
    maintenance: (one) => describeMaintenance(one, local),
    checks: (one) => describeBlindness(one, local),
  });
  return { ...content, link: `${baseUrl}${content.link}`, at: notice.at, words: wordsOf(local) };
}

/** @property link the path of a page */
type Content = Pick<AlertMessage, "title" | "reason" | "facts" | "link" | "group">;

function describeLocation(notice: LocationNotice, local: Localization): Content {
  const { type, location, at } = notice;
  const { silent, connected } = local.texts.location;
  const isSilent = type === "location.silent";
  const since = isSilent ? (location.lastSeenAt ?? at) : at;
  return {
    title: fill(isSilent ? silent : connected.title, { name: local.isolated(location.name) }),
    reason: isSilent ? silence(notice, local) : connected.reason,
    facts: [{ label: local.texts.fact.since, value: local.time(since) }],
    link: "/locations",
    group: isSilent ? "warning" : "healthy",
  };
}

function silence(
  { location: { lastSeenAt }, at }: LocationNotice,
  { texts, duration }: Localization,
): string {
  const { neverSeen, silentFor } = texts.location;
  return lastSeenAt === null ? neverSeen : fill(silentFor, { duration: duration(at - lastSeenAt) });
}

/** Its own message, if it has one, is why it takes place. */
function describeMaintenance(notice: MaintenanceNotice, local: Localization): Content {
  const { type, maintenance, at } = notice;
  const { fact, maintenance: words } = local.texts;
  const isStart = type === "maintenance.started";
  const { title, reason } = isStart ? words.started : words.ended;
  const message = oneLine(maintenance.message ?? "");
  return {
    title: fill(title, { name: local.isolated(maintenance.title) }),
    reason: message === "" ? reason : local.isolated(message),
    facts: [
      { label: fact.started, value: local.time(maintenance.startsAt) },
      isStart
        ? { label: fact.until, value: local.time(maintenance.endsAt) }
        : { label: fact.ended, value: local.time(at) },
      { label: fact.monitors, value: monitorsOf(notice, local), isFromUser: true },
    ],
    link: "/maintenances",
    group: "healthy",
  };
}

function describeBlindness(notice: BlindnessNotice, local: Localization): Content {
  const { type, since, monitorCount } = notice;
  const { fact, blind, resumed } = local.texts;
  const isBlind = type === "checks.blind";
  return {
    title: isBlind ? local.plural(blind.title, monitorCount) : resumed.title,
    reason: isBlind ? blind.reason : resumed.reason,
    facts: [
      { label: isBlind ? fact.since : fact.notCheckedSince, value: local.time(since) },
      { label: fact.monitors, value: monitorsOf(notice, local), isFromUser: true },
    ],
    link: "/",
    group: isBlind ? "warning" : "healthy",
  };
}

/** For example `12: Shop front, Billing, 10 more`. */
function monitorsOf(
  { monitors, monitorCount }: Pick<MaintenanceNotice, "monitors" | "monitorCount">,
  local: Localization,
): string {
  const { value } = local.texts;
  const names = monitors.slice(0, MAX_MONITORS).map(({ name }) => local.isolated(name));
  const more = monitorCount - names.length;
  const listed = local.list([...names, ...(more > 0 ? [local.plural(value.more, more)] : [])]);
  const count = local.number(monitorCount);
  return listed === "" ? count : fill(value.monitors, { count, names: listed });
}
