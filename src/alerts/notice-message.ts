import type { LocationNotice, MaintenanceNotice, Notice } from "../domain/alerts/alert-event.ts";
import { isAboutLocation } from "../domain/alerts/alert-event.ts";
import { formatDuration } from "../domain/duration.ts";
import type { StatusGroup } from "../domain/monitors/status.ts";
import { formatTime } from "./format-time.ts";
import type { AlertMessage } from "./message.ts";
import { oneLine } from "./truncate.ts";

/** The message of a notice (behavior 13.61, 14.46). @param baseUrl of the page, without a trailing slash */
export function describeNotice(notice: Notice, baseUrl: string): AlertMessage {
  return isAboutLocation(notice) ? describeLocation(notice, baseUrl) : describeMaintenance(notice, baseUrl);
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

function describeMaintenance(notice: MaintenanceNotice, baseUrl: string): AlertMessage {
  const { maintenance, monitorCount, at } = notice;
  const isStart = notice.type === "maintenance.started";
  return {
    title: `Maintenance ${oneLine(maintenance.title)} ${isStart ? "started" : "ended"}`,
    reason: maintenance.message === null ? "It has no message." : oneLine(maintenance.message),
    facts: [
      { label: isStart ? "Until" : "Ended", value: formatTime(isStart ? maintenance.endsAt : at) },
      { label: "Monitors", value: String(monitorCount) },
    ],
    link: `${baseUrl}/maintenances`,
    group: "healthy",
    at,
  };
}
