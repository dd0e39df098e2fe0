import { oneLine } from "../truncate.ts";
import type { LookUp } from "./registration.ts";

/** The names of EPP for those statuses of RDAP whose name is another one: all others differ only in blanks (RFC 8056, 2). */
const OTHER_NAMES: Record<string, string> = { active: "ok", associated: "linked" };

/** The statuses of a domain in EPP that RFC 8056 maps to RDAP. */
const STATUSES = [
  "addPeriod",
  "autoRenewPeriod",
  "clientDeleteProhibited",
  "clientHold",
  "clientRenewProhibited",
  "clientTransferProhibited",
  "clientUpdateProhibited",
  "inactive",
  "linked",
  "ok",
  "pendingCreate",
  "pendingDelete",
  "pendingRenew",
  "pendingRestore",
  "pendingTransfer",
  "pendingUpdate",
  "redemptionPeriod",
  "renewPeriod",
  "serverDeleteProhibited",
  "serverHold",
  "serverRenewProhibited",
  "serverTransferProhibited",
  "serverUpdateProhibited",
  "transferPeriod",
];

const byKey = new Map(STATUSES.map((status) => [status.toLowerCase(), status]));

const MAX_REGISTRAR = 200;

/** The last moment that four digits of a year can say: another date is an error. */
const LAST = Date.UTC(10_000, 0) - 1;

type Json = Record<string, unknown>;

/**
 * Reads the answer of a registry about a domain (RFC 9083, 5.3). Only what is known by name is taken from it, and the name of the
 * registrar.
 *
 * @param domain in ASCII
 */
export function readRdapAnswer(text: string, domain: string): LookUp {
  const answer = parsed(text);
  if (!answer) return { outcome: "refused", message: "the answer is not a JSON object" };
  if (!isAbout(answer, domain)) return { outcome: "refused", message: "the answer is about another domain" };
  const expiresAt = expiryIn(answer);
  if (expiresAt === undefined) return { outcome: "no_date" };
  const facts = { expiresAt, registrar: registrarIn(answer), statuses: statusesIn(answer) };
  return { outcome: "answered", facts };
}

function parsed(text: string): Json | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function isAbout({ objectClassName, ldhName, unicodeName }: Json, domain: string): boolean {
  if (objectClassName !== undefined && objectClassName !== "domain") return false;
  return [ldhName, unicodeName].some((name) => typeof name === "string" && asciiName(name) === domain);
}

/** A name as the DNS has it; undefined if it is none. */
export function asciiName(name: string): string | undefined {
  return URL.parse(`http://${name}/`)?.hostname.replace(/\.$/, "");
}

/** An event may be listed twice: the latest one counts. */
function expiryIn({ events }: Json): string | undefined {
  const times = listOf(events)
    .filter(({ eventAction }) => String(eventAction).toLowerCase() === "expiration")
    .map(({ eventDate }) => (typeof eventDate === "string" ? Date.parse(eventDate) : Number.NaN))
    .filter((time) => time > 0 && time <= LAST);
  return times.length === 0 ? undefined : new Date(Math.max(...times)).toISOString();
}

function statusesIn({ status }: Json): string[] {
  const names = Array.isArray(status) ? status.map(String) : [];
  const known = names.map((name) => {
    const lower = name.toLowerCase();
    return OTHER_NAMES[lower] ?? byKey.get(lower.replaceAll(/[ _-]/g, ""));
  });
  return [...new Set(known.filter((one) => one !== undefined))].sort();
}

/** The name in the vCard of the registrar (RFC 7095). */
function registrarIn({ entities }: Json): string | null {
  const registrar = listOf(entities).find(({ roles }) => Array.isArray(roles) && roles.includes("registrar"));
  const [, properties] = Array.isArray(registrar?.vcardArray) ? registrar.vcardArray : [];
  const entries: unknown[] = Array.isArray(properties) ? properties : [];
  const names = entries.filter((one): one is unknown[] => Array.isArray(one) && one[0] === "fn");
  const name = names.map((one) => one[3]).find((value) => typeof value === "string" && value.trim() !== "");
  return typeof name === "string" ? oneLine(name).slice(0, MAX_REGISTRAR).toWellFormed() : null;
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(asObject).filter((one) => one !== undefined) : [];
}

function asObject(value: unknown): Json | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}
