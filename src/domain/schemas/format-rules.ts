import { FormatRegistry } from "@sinclair/typebox";
import { webhookRules } from "../alerts/webhook-rules.ts";
import { webhookSecretRule } from "../alerts/webhook-secret.ts";
import { webhookUrlRules } from "../alerts/webhook-url.ts";
import { isCronExpression, isTimezone } from "../heartbeats/cron.ts";
import { pushTokenRule } from "../monitors/push-token.ts";
import { tagRule } from "../monitors/tags.ts";
import { isIP, isIPv4, isIPv6 } from "../network/ip-address.ts";
import { refRule } from "./ref.ts";
import { requestRules } from "./request-rules.ts";
import type { FormatRule } from "./schema.ts";
import { isSlug } from "./slug.ts";
import { parseTime } from "./time.ts";

/** By the name of the format. */
const rules: Record<string, FormatRule> = {
  name: {
    must: "be 1 to 200 characters",
    accepts: (text) => between(1, [...text.trim()].length, 200),
  },
  slug: {
    must: "be 1 to 63 of the characters a-z, 0-9 and -",
    accepts: isSlug,
  },
  "group-name": {
    must: "be 1 to 100 characters",
    accepts: (text) => between(1, [...text.trim()].length, 100),
  },
  markdown: {
    must: "be a text of 1 to 10000 characters",
    accepts: (text) => text.trim() !== "" && [...text].length <= 10_000,
  },
  "http-url": {
    must: "be a full URL that begins with http:// or https://, without user name or password",
    accepts: isHttpUrl,
  },
  "page-size": {
    must: "be a whole number of at least 1",
    accepts: (text) => /^0*[1-9]\d*$/.test(text),
  },
  digits: {
    must: "be 1 to 15 digits",
    accepts: (text) => /^\d{1,15}$/.test(text),
  },
  "date-time": {
    must: "be an ISO 8601 time with an offset, such as 2027-01-31T00:00:00Z",
    accepts: (text) => parseTime(text) !== null,
  },
  month: {
    must: "be a month such as 2027-01",
    accepts: (text) => /^\d{4}-(0[1-9]|1[0-2])$/.test(text),
  },
  email: {
    must: "be one e-mail address, such as ops@example.com",
    accepts: isEmail,
  },
  host: {
    must: "be a host name or an IP address, without scheme, port or path",
    accepts: isHost,
  },
  "host-name": {
    must: "be a host name, without scheme, port or path",
    accepts: (text) => isHost(text) && !isIP(text),
  },
  ...requestRules,
  cron: {
    must: "be a cron expression of five fields that runs at some time, such as 30 2 * * 1-5",
    accepts: isCronExpression,
  },
  timezone: {
    must: "be the IANA name of a time zone, such as Europe/Berlin",
    accepts: isTimezone,
  },
  tag: tagRule,
  ref: refRule,
  "push-token": pushTokenRule,
  note: {
    must: "be at most 500 characters",
    accepts: (text) => [...text].length <= 500,
  },
  "webhook-secret": webhookSecretRule,
  ...webhookUrlRules,
  ...webhookRules,
};

const namedRules = Object.entries(rules);

/**
 * Adds the formats to the registry of TypeBox, which is global. Call it before a validation by another library, such as that
 * of a request by Elysia; `validation.ts` calls it itself.
 */
export function registerFormats(): void {
  for (const [format, { accepts }] of namedRules) FormatRegistry.Set(format, accepts);
}

/** The rule of a format; undefined for an unknown one. */
export function ruleOf(format: string | undefined): FormatRule | undefined {
  return format === undefined ? undefined : rules[format];
}

function between(least: number, value: number, most: number): boolean {
  return value >= least && value <= most;
}

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url || !/^https?:\/\//i.test(text)) return false;
  return url.hostname !== "" && url.username === "" && url.password === "";
}

function isHost(text: string): boolean {
  if (isIPv4(text) || isIPv6(text)) return true;
  if (/[\s/\\:@?#[\]%]/.test(text)) return false;
  const ascii = URL.parse(`http://${text}/`)?.hostname;
  return ascii?.replace(/\.$/, "").split(".").every(isLabel) ?? false;
}

/** A label of a DNS name. Underscores are allowed, because internal names and records such as `_dmarc` have them. */
function isLabel(label: string): boolean {
  return between(1, label.length, 63);
}

/** Quotes, comments and lists are refused, so that the text cannot contain a second address. */
function isEmail(text: string): boolean {
  const [local = "", domain = "", ...more] = text.split("@");
  if (more.length > 0 || local.length > 64) return false;
  return (
    /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u.test(local) && isDomain(domain)
  );
}

function isDomain(text: string): boolean {
  return /^(?!-)[\p{L}\p{N}-]{1,63}(\.(?!-)[\p{L}\p{N}-]{1,63})*$/u.test(text);
}
