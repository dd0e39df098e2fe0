import type { PublicMaintenance, PublicPage } from "../domain/pages/public-page.ts";

/**
 * The maintenances of a page as iCalendar (RFC 5545, behavior 15.109), in UTC. Windows that repeat are events of their own, because
 * a rule of an event cannot say all that a cron expression does.
 *
 * @param url of the page, without a trailing slash
 */
export function calendar(page: PublicPage, url: string): string {
  const events = page.maintenances.flatMap((maintenance) => eventsOf(page, maintenance, url));
  return calendarText({ id: "public page", title: page.title, events });
}

/** An event of a calendar. @property updatedAt when it got its present values; milliseconds since 1970, as the other times */
export interface CalendarEvent {
  uid: string;
  updatedAt: number;
  startsAt: number;
  endsAt: number;
  summary: string;
  description?: string;
  url?: string;
  /** Whether a person is busy in its time. */
  isBusy: boolean;
}

/** A calendar that others subscribe to. @property id what writes it */
export function calendarText({
  id,
  title,
  events,
}: {
  id: string;
  title: string;
  events: readonly CalendarEvent[];
}): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    `PRODID:-//stillup//${id}//EN`,
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    `NAME:${text(title)}`,
    `X-WR-CALNAME:${text(title)}`,
    "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    "X-PUBLISHED-TTL:PT1H",
    ...(events.length > 0 ? events.flatMap(eventLines) : UTC),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join("");
}

/** In a calendar without events, because RFC 5545 requires a component. */
const UTC = [
  "BEGIN:VTIMEZONE",
  "TZID:UTC",
  "BEGIN:STANDARD",
  "DTSTART:19700101T000000",
  "TZOFFSETFROM:+0000",
  "TZOFFSETTO:+0000",
  "END:STANDARD",
  "END:VTIMEZONE",
];

function eventsOf(page: PublicPage, maintenance: PublicMaintenance, url: string): CalendarEvent[] {
  const { startsAt, endsAt, repeats, series, title: summary, message, updatedAt, componentIds } = maintenance;
  // At least the next window, if there are too many without a gap to list any.
  const windows = repeats && repeats.windows.length > 0 ? repeats.windows : [{ startsAt, endsAt }];
  const names = page.components.filter(({ id }) => componentIds.includes(id)).map(({ name }) => name);
  const description = [...(message === null ? [] : [message]), names.join(", ")].join("\n\n");
  return windows.map((window) => ({
    uid: `${series}-${window.startsAt.toString(36)}`,
    ...{ ...window, updatedAt, summary, description, url, isBusy: false },
  }));
}

function eventLines({ uid, updatedAt, startsAt, endsAt, summary, ...event }: CalendarEvent): string[] {
  const { description = "", url, isBusy } = event;
  return [
    "BEGIN:VEVENT",
    `UID:${uid}@stillup`,
    `DTSTAMP:${time(updatedAt)}`,
    `DTSTART:${time(startsAt)}`,
    `DTEND:${time(endsAt)}`,
    `SUMMARY:${text(summary)}`,
    ...(description === "" ? [] : [`DESCRIPTION:${text(description)}`]),
    ...(url === undefined ? [] : [`URL:${url}`]),
    "STATUS:CONFIRMED",
    `TRANSP:${isBusy ? "OPAQUE" : "TRANSPARENT"}`,
    "END:VEVENT",
  ];
}

/** For example `20261122T150500Z`. */
function time(at: number): string {
  return new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, "");
}

/** Control characters, which a text cannot contain. */
const FORBIDDEN = /(?![\t\n])\p{Cc}/gu;

/** A value of the type TEXT. */
function text(value: string): string {
  return value
    .toWellFormed()
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(FORBIDDEN, "")
    .replaceAll(/[\\;,]/g, "\\$&")
    .replaceAll("\n", "\\n");
}

/** Octets of a line without its end. */
const LONGEST = 75;

/** A line that is too long continues on the next, after a space; never within a character. */
function folded(line: string): string {
  if (Buffer.byteLength(line) <= LONGEST) return line;
  let [result, length] = ["", 0];
  for (const character of line) {
    const bytes = Buffer.byteLength(character);
    if (length + bytes > LONGEST) {
      result += "\r\n ";
      length = 1;
    }
    result += character;
    length += bytes;
  }
  return result;
}
