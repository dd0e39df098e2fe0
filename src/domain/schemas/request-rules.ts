import { parseDnsServer } from "../network/dns-server.ts";
import { MASK } from "./mask.ts";
import type { FormatRule } from "./schema.ts";

/** Formats of what a check sends and expects, by their name. */
export const requestRules: Record<string, FormatRule> = {
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
  "expected-text": {
    must: "be a text of 1 to 1024 characters",
    accepts: (text) => text !== "" && [...text].length <= 1024,
  },
  "status-range": {
    must: "be a class from 1xx to 5xx or a range such as 200-204",
    accepts: isStatusRange,
  },
  "dns-server": {
    must: "be an IP address with or without a port, such as 192.0.2.53 or [2001:db8::53]:5353",
    accepts: (text) => parseDnsServer(text) !== undefined,
  },
};

function isStatusRange(text: string): boolean {
  if (/^[1-5]xx$/.test(text)) return true;
  const [, first, last] = /^([1-5]\d\d)-([1-5]\d\d)$/.exec(text) ?? [];
  return first !== undefined && Number(first) <= Number(last);
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
