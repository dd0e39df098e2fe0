import {
  type BlindnessNotice,
  forNotice,
  type LocationNotice,
  type MaintenanceNotice,
  type Notice,
} from "../domain/alerts/alert-event.ts";
import { type AlertMessage, formatTime } from "../domain/alerts/alert-message.ts";
import { formatDuration } from "../domain/duration.ts";
import type { StatusGroup } from "../domain/monitors/status.ts";
import { oneLine } from "../domain/truncate.ts";

/** The most monitors that are named. */
const MAX_MONITORS = 10;

/** The message of a notice (behavior 1.60, 13.61, 14.46). @param baseUrl of the page, without a trailing slash */
export function describeNotice(notice: Notice, baseUrl: string): AlertMessage {
  return forNotice(notice, {
    location: (one) => describeLocation(one, baseUrl),
    maintenance: (one) => describeMaintenance(one, baseUrl),
    checks: (one) => describeBlindness(one, baseUrl),
  });
}

/** The words of one type of notice. @property since milliseconds since 1970 */
interface Words {
  verdict: string;
  group: StatusGroup;
  reason: (notice: LocationNotice) => string;
  since: (notice: LocationNotice) => number;
}

const words: Record<LocationNotice["type"], Words> = {
  "location.silent": {
    verdict: "is silent",
    group: "warning",
    reason: (notice) => `${silence(notice)} Until there is one, its checks do not count.`,
    since: ({ location, at }) => location.lastSeenAt ?? at,
  },
  "location.connected": {
    verdict: "is connected again",
    group: "healthy",
    reason: () => "Its probe sends requests again, and its checks count.",
    since: ({ at }) => at,
  },
};

function describeLocation(notice: LocationNotice, baseUrl: string): AlertMessage {
  const { verdict, group, reason, since } = words[notice.type];
  return {
    title: `Location ${oneLine(notice.location.name)} ${verdict}`,
    reason: reason(notice),
    facts: [{ label: "Since", value: formatTime(since(notice)) }],
    link: `${baseUrl}/locations`,
    group,
    at: notice.at,
  };
}

function silence({ location: { lastSeenAt }, at }: LocationNotice): string {
  if (lastSeenAt === null) return "Its probe has sent no request yet.";
  return `Its probe has sent no request for ${formatDuration(at - lastSeenAt)}.`;
}

/** The words of a start or an end. */
const maintenanceWords = {
  "maintenance.started": {
    verdict: "started",
    reason: "Changes of the status of its monitors notify nobody until it ends.",
    end: (notice: MaintenanceNotice) => ({ label: "Until", value: formatTime(notice.maintenance.endsAt) }),
  },
  "maintenance.ended": {
    verdict: "ended",
    reason: "Changes of the status of its monitors are notified again.",
    end: (notice: MaintenanceNotice) => ({ label: "Ended", value: formatTime(notice.at) }),
  },
};

/** Its own message, if it has one, is why it takes place. */
function describeMaintenance(notice: MaintenanceNotice, baseUrl: string): AlertMessage {
  const { maintenance, at } = notice;
  const { verdict, reason, end } = maintenanceWords[notice.type];
  return {
    title: `Maintenance ${oneLine(maintenance.title)} ${verdict}`,
    reason: oneLine(maintenance.message ?? "") || reason,
    facts: [
      { label: "Started", value: formatTime(maintenance.startsAt) },
      end(notice),
      { label: "Monitors", value: monitorsOf(notice), isFromUser: true },
    ],
    link: `${baseUrl}/maintenances`,
    group: "healthy",
    at,
  };
}

function describeBlindness(notice: BlindnessNotice, baseUrl: string): AlertMessage {
  const { type, since, monitorCount, at } = notice;
  const isBlind = type === "checks.blind";
  const subject = monitorCount === 1 ? "1 monitor is" : `${monitorCount} monitors are`;
  const reason = isBlind
    ? "stillup has had no answer that says anything about them, for example because its DNS server is silent. Until it has one, their statuses are those of their last checks."
    : "Checks say again how the monitors are.";
  return {
    title: isBlind ? `${subject} not checked` : "All monitors are checked again",
    reason,
    facts: [
      { label: isBlind ? "Since" : "Not checked since", value: formatTime(since) },
      { label: "Monitors", value: monitorsOf(notice), isFromUser: true },
    ],
    link: `${baseUrl}/`,
    group: isBlind ? "warning" : "healthy",
    at,
  };
}

/** For example `12: Shop front, Billing, 10 more`. */
function monitorsOf({
  monitors,
  monitorCount,
}: Pick<MaintenanceNotice, "monitors" | "monitorCount">): string {
  const names = monitors.slice(0, MAX_MONITORS).map(({ name }) => oneLine(name));
  const more = monitorCount - names.length;
  const listed = [...names, ...(more > 0 ? [`${more} more`] : [])].join(", ");
  return listed === "" ? String(monitorCount) : `${monitorCount}: ${listed}`;
}
