import type { Reason } from "../../../domain/checks/observation.ts";
import type { Config } from "../data/api.ts";
import { numberWords } from "../ui/numbers.ts";

/** What a check left, in a sentence; nothing where there is nothing to say. */
export function reasonWords(detail: Config | null): string {
  if (!detail) return "";
  const { message, reason } = detail;
  if (typeof message === "string") return message;
  if (typeof reason === "string") return reason.replaceAll("_", " ");
  const parts = [listWords("new", detail, "added"), listWords("gone", detail, "gone")].filter(Boolean);
  return parts.join("; ");
}

const reasonNames: Record<Reason, string> = {
  refused: "Connection refused",
  timeout: "No answer in time",
  reset: "Connection reset",
  closed: "Connection closed",
  unreachable: "Network unreachable",
  dns_not_found: "Name not found",
  dns_failed: "Name could not be looked up",
  tls_invalid: "Certificate is not valid",
  tls_failed: "No TLS connection",
  not_http: "Answer is not HTTP",
  private_target: "Private address",
};

/** The same in a few words, where there are some for it. */
export function briefReason(detail: Config | null): string {
  const known = Object.entries(reasonNames).find(([reason]) => reason === detail?.reason);
  return known ? known[1] : reasonWords(detail);
}

function listWords(label: string, detail: Config, name: string): string {
  const list = listOf(detail, name);
  return list.length > 0 ? `${label}: ${list.join(", ")}` : "";
}

/** A list of a detail, as texts; if it was cut, the last one is how many entries are missing. */
export function listOf(detail: Config, name: string): string[] {
  const rest = restWords(detail, name);
  return rest === "" ? entriesOf(detail, name) : [...entriesOf(detail, name), rest];
}

/** The entries that are left of a list. */
export function entriesOf(detail: Config, name: string): string[] {
  const list = detail[name];
  return Array.isArray(list) ? list.map(String) : [];
}

/** How many entries of a list were left out, as `and 2,480 more`; nothing if it is whole. */
export function restWords(detail: Config, name: string): string {
  const count = Number((detail.omitted as Record<string, number> | undefined)?.[name] ?? 0);
  if (count === 0) return "";
  return `${entriesOf(detail, name).length > 0 ? "and " : ""}${numberWords(count)} more`;
}
