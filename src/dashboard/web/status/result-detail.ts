import { briefReason } from "../../../domain/checks/reason-words.ts";
import { describeRunBriefly } from "../../../domain/heartbeats/run-words.ts";
import type { Seen } from "../../../domain/monitors/confirmation.ts";
import { statusLabel } from "../../../domain/monitors/status.ts";
import type { Config } from "../data/api.ts";
import { locationLabel } from "../locations/location-label.ts";
import { formatNumber } from "../ui/numbers.ts";

/** The reason of a result, in a sentence. Empty if its detail has none. */
export function describeDetail(detail: Config | null): string {
  if (!detail) return "";
  const { message, reason, seen } = detail;
  const location = locationOf(detail);
  if (seen) return `${location ? `${location} saw` : "Not confirmed"}: ${describeSeen(seen as Seen)}`;
  if (typeof message === "string") return message;
  const run = describeRunBriefly(detail);
  if (run) return run;
  if (typeof reason === "string") return reason.replaceAll("_", " ");
  const parts = [describeList("new", detail, "added"), describeList("gone", detail, "gone")].filter(Boolean);
  return parts.join("; ");
}

/** The name of the location that a result is from. Empty if its monitor is checked only from this server. */
export function locationOf(detail: Config | null): string {
  return typeof detail?.location === "string" ? locationLabel(detail.location) : "";
}

/** The finding of a check while the status waits for confirmation, such as `Down: no answer within 10 s`. */
export function describeSeen({ status, ...detail }: Seen): string {
  return [statusLabel[status], describeDetail(detail)].filter(Boolean).join(": ");
}

/** The reason of a result in a few words if they say enough, otherwise in a sentence. */
export function describeBriefly(detail: Config | null): string {
  return briefReason(detail) ?? describeDetail(detail);
}

/** Why a result is one of trouble: its message, or its reason in a few words if it has none. */
export function describeCause(detail: Config | null): string {
  return typeof detail?.message === "string" ? detail.message : describeBriefly(detail);
}

function describeList(label: string, detail: Config, name: string): string {
  const list = listWithRest(detail, name);
  return list.length > 0 ? `${label}: ${list.join(", ")}` : "";
}

/** The entries of a list in a detail. If the server cut the list, the last one is the number of missing entries. */
export function listWithRest(detail: Config, name: string): string[] {
  const rest = describeRest(detail, name);
  return rest === "" ? entriesOf(detail, name) : [...entriesOf(detail, name), rest];
}

export function entriesOf(detail: Config, name: string): string[] {
  const list = detail[name];
  return Array.isArray(list) ? list.map(String) : [];
}

/** The number of entries that the server left out of a list, such as `and 2,480 more`. Empty if the list is complete. */
export function describeRest(detail: Config, name: string): string {
  const count = Number((detail.omitted as Record<string, number> | undefined)?.[name] ?? 0);
  if (count === 0) return "";
  return `${entriesOf(detail, name).length > 0 ? "and " : ""}${formatNumber(count)} more`;
}
