import type { Transition } from "../domain/alerts/delivery.ts";
import { durationWords, latencyWords } from "./time-words.ts";
import { oneLine } from "./truncate.ts";

/** More values than this are only counted. */
const MOST_VALUES = 10;

type Words = (transition: Transition) => string;

/** By the status that is new (interface 3.1). */
const words: Record<string, Words> = {
  up: ({ previousStatus }) =>
    previousStatus === "degraded" ? "It answers as fast as usual." : "It answers again.",
  down: (transition) => `${failure(transition)}.`,
  degraded: slow,
  active: (transition) => `The certificate is good${end(transition)}.`,
  expiring_soon: (transition) => `The certificate expires soon${end(transition)}.`,
  expired: (transition) => `${invalidity(transition)}.`,
  no_cert: (transition) => `No certificate could be had: ${lowered(failure(transition))}.`,
  present: () => "The DNS has records of it, and none that is new.",
  missing: (transition) => `${failure(transition)}.`,
  changed,
  ok: () => "The job has reported success.",
  failed: (transition) => `${said(transition) ?? "The job has reported a failure"}.`,
  havent_heard: (transition) => `${said(transition) ?? "No checkin came when one was due"}.`,
};

/** What a socket says in a code. The other reasons come with a message that is a sentence already. */
const reasons: Record<string, string> = {
  refused: "The connection was refused",
  reset: "The connection was reset",
  unreachable: "The network could not be reached",
};

/** Why a monitor has its new status, in a sentence. */
export function reasonOf(transition: Transition): string {
  return words[transition.status]?.(transition) ?? `The status is now ${transition.status}.`;
}

function failure(transition: Transition): string {
  const reason = field(transition, "reason");
  const known = typeof reason === "string" ? reasons[reason] : undefined;
  const address = field(transition, "address");
  if (known) return typeof address === "string" ? `${known} by ${oneLine(address)}` : known;
  return said(transition) ?? "It could not be reached";
}

/** The message of the check, as the beginning of a sentence. */
function said(transition: Transition): string | undefined {
  const message = field(transition, "message");
  if (typeof message !== "string" || oneLine(message) === "") return undefined;
  const text = oneLine(message).replace(/\.+$/, "");
  // A host name at the beginning keeps its case.
  return /^[a-z]+ /.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

function slow({ result, lastGoodLatencyMs }: Transition): string {
  const took = result.latencyMs === null ? "" : ` in ${latencyWords(result.latencyMs)}`;
  const before = lastGoodLatencyMs === undefined ? "" : `, after ${latencyWords(lastGoodLatencyMs)} before`;
  return `It answers${took}${before}: much slower than usual.`;
}

function end(transition: Transition): string {
  const at = moment(transition, "validTo");
  if (at === undefined) return "";
  const left = at - transition.result.createdAt;
  return left > 0 ? `: it ends on ${day(at)}, in ${durationWords(left)}` : `: it ended on ${day(at)}`;
}

function invalidity(transition: Transition): string {
  const from = moment(transition, "validFrom");
  if (from !== undefined && from > transition.result.createdAt) {
    return `The certificate is not valid before ${day(from)}`;
  }
  const to = moment(transition, "validTo");
  if (to === undefined) return "The certificate has expired";
  return `The certificate ended on ${day(to)}, ${durationWords(transition.result.createdAt - to)} ago`;
}

function changed(transition: Transition): string {
  const parts = [
    ["new", values(transition, "added")],
    ["gone", values(transition, "gone")],
  ].filter(([, list]) => list !== "");
  const what = parts.map(([label, list]) => `${label}: ${list}`).join("; ");
  return what ? `The DNS answers with other records. ${what}.` : "The DNS answers with other records.";
}

function values(transition: Transition, name: string): string {
  const list = field(transition, name);
  if (!Array.isArray(list)) return "";
  const shown = list.slice(0, MOST_VALUES).map((value) => oneLine(String(value)));
  const omitted = (field(transition, "omitted") as Record<string, number> | undefined)?.[name] ?? 0;
  const more = list.length - shown.length + omitted;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

function field({ result }: Transition, name: string): unknown {
  return result.detail?.[name];
}

function moment(transition: Transition, name: string): number | undefined {
  const at = Date.parse(String(field(transition, name)));
  return Number.isNaN(at) ? undefined : at;
}

function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

function lowered(text: string): string {
  return text.replace(/^(The|It|No)\b/, (word) => word.toLowerCase());
}
