import type { PublicMaintenance, PublicPage } from "../domain/pages/public-page.ts";

/**
 * The maintenances of a page as iCalendar (RFC 5545, behavior 15.109), in UTC. Windows that repeat are events of their own, because
 * a rule of an event cannot say all that a cron expression does.
 *
 * @param url of the page, without a trailing slash
 */
export function calendar(page: PublicPage, url: string): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//stillup//public page//EN",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    `NAME:${text(page.title)}`,
    `X-WR-CALNAME:${text(page.title)}`,
    "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    "X-PUBLISHED-TTL:PT1H",
    ...page.maintenances.flatMap((maintenance) => events(page, maintenance, url)),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join("");
}

function events(page: PublicPage, maintenance: PublicMaintenance, url: string): string[] {
  const { startsAt, endsAt, repeats } = maintenance;
  // At least the next window, if there are too many without a gap to list any.
  const windows = repeats && repeats.windows.length > 0 ? repeats.windows : [{ startsAt, endsAt }];
  return windows.flatMap((window) => event(page, { ...maintenance, ...window }, url));
}

function event(
  page: PublicPage,
  { series, title, message, startsAt, endsAt, componentIds, updatedAt }: PublicMaintenance,
  url: string,
): string[] {
  const names = page.components.filter(({ id }) => componentIds.includes(id)).map(({ name }) => name);
  const description = [...(message === null ? [] : [message]), names.join(", ")].join("\n\n");
  return [
    "BEGIN:VEVENT",
    `UID:${series}-${startsAt.toString(36)}@stillup`,
    `DTSTAMP:${time(updatedAt)}`,
    `DTSTART:${time(startsAt)}`,
    `DTEND:${time(endsAt)}`,
    `SUMMARY:${text(title)}`,
    ...(description === "" ? [] : [`DESCRIPTION:${text(description)}`]),
    `URL:${url}`,
    "STATUS:CONFIRMED",
    "TRANSP:TRANSPARENT",
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
