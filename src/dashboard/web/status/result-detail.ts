import { isVague } from "../../../domain/checks/vague-reason.ts";
import type { Seen } from "../../../domain/monitors/confirmation.ts";
import type { Config } from "../data/api.ts";
import { language } from "../languages/locale.ts";
import { fill, listOf, plural, texts } from "../languages/texts.ts";
import { locationLabel } from "../locations/location-label.ts";
import { formatRunTime } from "../ui/durations.ts";

/** The reason of a result, in a sentence. Empty if its detail has none. */
export function describeDetail(detail: Config | null): string {
  if (!detail) return "";
  if (detail.seen) return describeUnconfirmed(detail, describeSeen(detail.seen as Seen));
  return (
    describeMessage(detail) ??
    reasonLabel(detail) ??
    describeRun(detail) ??
    describeCode(detail) ??
    describeRecords(detail)
  );
}

function describeUnconfirmed(detail: Config, finding: string): string {
  const location = locationOf(detail);
  const { seenFrom, notConfirmed } = texts.status.finding;
  return location ? fill(seenFrom, { location, finding }) : fill(notConfirmed, { finding });
}

/** The name of the location that a result is from. Empty if its monitor is checked only from this server. */
export function locationOf(detail: Config | null): string {
  return typeof detail?.location === "string" ? locationLabel(detail.location) : "";
}

/** The finding of a check while the status waits for confirmation, such as `Down: no answer within 10 s`. */
export function describeSeen({ status, ...detail }: Seen): string {
  const label = texts.status.label[status];
  const reason = describeDetail(detail);
  return reason ? fill(texts.status.finding.statusWithReason, { status: label, reason }) : label;
}

/** The reason of a result in a few words if they say enough, otherwise in a sentence. */
export function describeBriefly(detail: Config | null): string {
  const label = reasonLabel(detail);
  return label === undefined || (isVague(detail?.reason) && detail?.message) ? describeDetail(detail) : label;
}

/** Why a result is one of trouble: its message, or its reason in a few words if it has none. */
export function describeCause(detail: Config | null): string {
  return (detail && describeMessage(detail)) ?? describeBriefly(detail);
}

/**
 * The message that a check has recorded, which is English: readers of another language get its reason before it (behavior 27.19).
 *
 * @param reader the language of the page
 */
export function describeMessage(detail: Config, reader: string = language): string | undefined {
  const { message } = detail;
  if (typeof message !== "string") return undefined;
  const reason = reasonLabel(detail);
  if (reader === "en" || reason === undefined) return message;
  return fill(texts.status.finding.reasonWithMessage, { reason, message });
}

/** A reason in a few words. Undefined if it has none. */
export function reasonLabel(detail: Config | null): string | undefined {
  const labels: Partial<Record<string, string>> = texts.status.reason;
  const reason = detail?.reason;
  return typeof reason === "string" && Object.hasOwn(labels, reason) ? labels[reason] : undefined;
}

/** A reason without words, of another version of stillup. */
function describeCode({ reason }: Config): string | undefined {
  return typeof reason === "string" ? reason.replaceAll("_", " ") : undefined;
}

/** The end of the run of a job. Undefined if the detail says nothing of one. */
function describeRun({ exitCode, run }: Config): string | undefined {
  const { durationMs } = (run ?? {}) as { durationMs?: number };
  const length = durationMs === undefined ? undefined : formatRunTime(durationMs);
  const words = texts.status.run;
  if (exitCode === undefined) return length && fill(words.ranFor, { length });
  const code = String(exitCode);
  return length ? fill(words.exitCodeAfter, { code, length }) : fill(words.exitCode, { code });
}

function describeRecords(detail: Config): string {
  const [added, gone] = [listOfAll(detail, "added"), listOfAll(detail, "gone")];
  const words = texts.status.finding.records;
  if (added && gone) return fill(words.addedAndGone, { added, gone });
  if (added) return fill(words.added, { added });
  return gone && fill(words.gone, { gone });
}

/** The entries of a list in a detail. If the server cut the list, the last one is the number of missing entries. */
export function listOfAll(detail: Config, name: string): string {
  const rest = describeRest(detail, name);
  const entries = entriesOf(detail, name);
  return listOf(rest === "" ? entries : [...entries, rest], "unit");
}

export function entriesOf(detail: Config, name: string): string[] {
  const list = detail[name];
  return Array.isArray(list) ? list.map(String) : [];
}

/** The number of entries that the server left out of a list, such as `and 2,480 more`. Empty if the list is complete. */
export function describeRest(detail: Config, name: string): string {
  const count = restOf(detail, name);
  if (count === 0) return "";
  const { rest, onlyRest } = texts.status.finding;
  return plural(entriesOf(detail, name).length > 0 ? rest : onlyRest, count);
}

/** How many entries the server left out of a list. */
export function restOf(detail: Config, name: string): number {
  return Number((detail.omitted as Record<string, number> | undefined)?.[name] ?? 0);
}
