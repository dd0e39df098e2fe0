import { FormatRegistry, type TSchema } from "@sinclair/typebox";
import { hourRules } from "../alerts/hours.ts";
import { webhookRules } from "../alerts/webhook-rules.ts";
import { isCronExpression, isTimezone } from "../heartbeats/cron.ts";
import { parseTime } from "../iso-time.ts";
import { pushTokenRule } from "../monitors/push-token.ts";
import { tagRule } from "../monitors/tags.ts";
import { isIP, isIPv4, isIPv6 } from "../network/client-address.ts";
import { parseDnsServer } from "../network/dns-server.ts";
import { isColor, isEmbedOrigin, isSlug, parseLogo } from "../pages/page-look.ts";
import { pagePasswordRule } from "../pages/page-password.ts";
import { isEmail } from "../people/email-address.ts";
import { refRule } from "./format.ts";
import { MASK } from "./mask.ts";
import type { FormatRule } from "./schema.ts";

/** Formats of what a check sends and expects, by their name. */
const requestRules = {
  "header-value": {
    must: "be visible ASCII characters, spaces and tabs",
    // The mask represents a stored value, which replaces it before the config is stored.
    accepts: (text) => text === MASK || /^[\t\x20-\x7e]*$/.test(text),
    isSecret: true,
  },
  password: {
    must: "be a password of at most 1024 characters",
    accepts: (text) => [...text].length <= 1024,
    isSecret: true,
  },
  "request-body": {
    must: "be a text of 1 byte to 64 KiB",
    accepts: (text) => text !== "" && byteLength(text) <= 64 * 1024,
  },
  "sent-text": {
    must: "be a text of at most 4 KiB",
    accepts: (text) => byteLength(text) <= 4 * 1024,
  },
  "user-name": {
    must: "be a user name without a colon",
    accepts: (text) => !text.includes(":"),
  },
  "digest-user": {
    must: "be a user name without a colon and control characters",
    accepts: (text) => !/[:\p{Cc}]/u.test(text),
  },
  "pem-certificate": {
    must: "be a certificate in PEM, which begins with -----BEGIN CERTIFICATE-----",
    accepts: (text) =>
      /^-----BEGIN CERTIFICATE-----\r?\n[A-Za-z0-9+/=\r\n]+-----END CERTIFICATE-----/m.test(text),
  },
  "pem-key": {
    must: "be a private key in PEM without a passphrase, which begins with -----BEGIN PRIVATE KEY-----",
    accepts: (text) => text === MASK || isPlainKey(text),
    isSecret: true,
  },
  "proxy-url": {
    must: "be the URL of a proxy, such as http://proxy.example.com:3128 or socks5://proxy.example.com:1080",
    accepts: isProxyUrl,
  },
  "compared-part": {
    must: "be body, text, json:$.path or header:Name",
    accepts: (text) =>
      text === "body" || text === "text" || /^(json:\$|header:[!#$%&'*+.^_`|~\w-]+$)/.test(text),
  },
  pattern: {
    must: "be a pattern of RE2 of 1 to 1024 characters",
    accepts: (text) => text !== "" && [...text].length <= 1024,
  },
  "expected-text": {
    must: "be a text of 1 to 1024 characters",
    accepts: (text) => text !== "" && [...text].length <= 1024,
  },
  "status-range": {
    must: "be a class from 1xx to 9xx or a range such as 200-204",
    accepts: isStatusRange,
  },
  "dns-server": {
    must: "be an IP address with or without a port, such as 192.0.2.53 or [2001:db8::53]:5353",
    accepts: (text) => parseDnsServer(text) !== undefined,
  },
} satisfies Record<string, FormatRule>;

/** Whether it has the form of PKCS #8, or an older one for RSA or elliptic curves. A key with a passphrase says `ENCRYPTED`. */
function isPlainKey(text: string): boolean {
  return /^-----BEGIN (RSA |EC )?PRIVATE KEY-----\r?\n[A-Za-z0-9+/=\r\n]+-----END \1?PRIVATE KEY-----/m.test(
    text,
  );
}

function isProxyUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url || !/^(http|socks5):$/.test(url.protocol) || url.hostname === "" || url.port === "0") return false;
  return (
    url.username === "" &&
    url.password === "" &&
    /^\/?$/.test(url.pathname) &&
    url.search === "" &&
    url.hash === ""
  );
}

function isStatusRange(text: string): boolean {
  if (/^[1-9]xx$/.test(text)) return true;
  const [, first, last] = /^([1-9]\d\d)-([1-9]\d\d)$/.exec(text) ?? [];
  return first !== undefined && Number(first) <= Number(last);
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** By the name of the format. */
const rules = {
  name: {
    must: "be 1 to 200 characters",
    accepts: (text) => between(1, [...text.trim()].length, 200),
  },
  "person-name": {
    must: "be 1 to 200 characters without control characters",
    accepts: (text) => between(1, [...text.trim()].length, 200) && !/\p{Cc}/u.test(text),
  },
  slug: {
    must: "be 1 to 63 of the characters a-z, 0-9 and -",
    accepts: isSlug,
  },
  color: {
    must: "be a color such as #2450c4",
    accepts: isColor,
  },
  "embed-origin": {
    must: "be an origin such as https://www.example.com: http only for this machine, and no path",
    accepts: isEmbedOrigin,
  },
  "page-logo": {
    must: "be a data URL of a PNG, JPEG, WebP, GIF or SVG image of at most 64 KiB, whose content is of this type",
    accepts: (text) => parseLogo(text) !== null,
  },
  "page-password": pagePasswordRule,
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
  ...hourRules,
  ...webhookRules,
} satisfies Record<string, FormatRule>;

export type FormatName = keyof typeof rules;

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
  return format === undefined ? undefined : (rules as Record<string, FormatRule>)[format];
}

/** Whether a value fits the format of its schema. False without a format. */
export function fitsFormat({ schema, value }: { schema: TSchema; value: unknown }): boolean {
  return ruleOf(schema.format)?.accepts(String(value)) ?? false;
}

/** Whether the values of a schema are never repeated, for example in messages. A union is secret if a part of it is. */
export function isSecret({ format, anyOf = [] }: TSchema): boolean {
  return (ruleOf(format)?.isSecret ?? false) || (anyOf as TSchema[]).some(isSecret);
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
