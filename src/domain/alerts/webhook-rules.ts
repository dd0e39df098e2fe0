import { MASK } from "../schemas/mask.ts";
import type { FormatRule } from "../schemas/schema.ts";

/** The most bytes of the body of a custom request (behavior 16.155). */
const MOST_BODY_BYTES = 16 * 1024;

/** Formats of the options of WEBHOOK channels, by their name (behavior 16.141). */
export const webhookRules: Record<string, FormatRule> = {
  "option-secret": {
    must: "be 1 to 512 visible ASCII characters",
    // The mask represents a stored value, which replaces it before the config is stored.
    accepts: (text) => text === MASK || /^[\x21-\x7e]{1,512}$/.test(text),
    isSecret: true,
  },
  "ntfy-topic": {
    must: "be 1 to 64 letters, digits, hyphens and underscores",
    accepts: (text) => /^[\w-]{1,64}$/.test(text),
  },
  "telegram-chat": {
    must: "be the number of a chat, such as -1001234567890, or the name of a channel, such as @alerts",
    accepts: (text) => /^(-?\d{1,20}|@\w{1,63})$/.test(text),
  },
  "pushover-device": {
    must: "be the name of a device, or names that commas separate",
    accepts: (text) => /^[\w-]{1,25}(,[\w-]{1,25})*$/.test(text),
  },
  "matrix-room": {
    must: "be the ID of a room, which begins with !, such as !AbCdEf:example.org",
    accepts: (text) => /^![\x21-\x7e]+$/.test(text),
  },
  "phone-number": {
    must: "be a phone number with its country, such as +4915112345678",
    accepts: (text) => /^\+[1-9]\d{3,18}$/.test(text),
  },
  "signal-recipient": {
    must: "be a phone number with its country, a user name, or the ID of a group such as group.…",
    accepts: (text) => /^[\x21-\x7e]{1,200}$/.test(text),
  },
  "media-type": {
    must: "be a media type such as text/plain",
    accepts: (text) =>
      /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+([ \t]*;[ \t]*[\w-]+=("[\x20\x21\x23-\x5b\x5d-\x7e]*"|[\w.+-]+))*$/.test(
        text,
      ),
  },
  "message-template": {
    must: "be a text of 1 byte to 16 KiB",
    accepts: (text) => text !== "" && new TextEncoder().encode(text).length <= MOST_BODY_BYTES,
  },
};
