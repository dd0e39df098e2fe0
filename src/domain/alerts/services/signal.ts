import { Type } from "@sinclair/typebox";
import { fault } from "../../faults/fault.ts";
import { truncate } from "../../truncate.ts";
import type { AlertMessage } from "../alert-event.ts";
import { bytesOf, jsonRequest, linesOf, plainLinks, serviceUrl, truncateToBytes } from "./request.ts";
import type { Declaration, Delivery, FailureAnswer, ImportNames } from "./service.ts";

export const declaration = {
  label: "Signal",
  since: 6,
  readBy: "people",
  // A padlock.
  icon: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3M12 14.5v2",
  url: { example: "http://127.0.0.1:8080" },
  options: {
    number: {
      example: "+4915112345678",
      schema: Type.String({
        format: "phone-number",
        maxLength: 20,
        description: "The registered number that sends.",
        examples: ["+4915112345678"],
      }),
    },
    recipients: {
      kind: "lines",
      schema: Type.Array(Type.String({ format: "signal-recipient", maxLength: 200 }), {
        minItems: 1,
        maxItems: 50,
        description: "Numbers, user names, or IDs of groups such as `group.…`.",
      }),
    },
  },
  rules: {
    "phone-number": {
      must: "be a phone number with its country, such as +4915112345678",
      accepts: (text) => /^\+[1-9]\d{3,18}$/.test(text),
    },
    "signal-recipient": {
      must: "be a phone number with its country, a user name, or the ID of a group such as group.…",
      accepts: (text) => /^[\x21-\x7e]{1,200}$/.test(text),
    },
  },
  /** The server of Signal takes one group or several users (behavior 16.144). */
  check({ options }) {
    const recipients = options?.recipients as string[];
    if (recipients.length > 1 && recipients.some((one) => one.startsWith("group.")))
      throw fault("signalRecipients", { field: "config.options.recipients" });
  },
} satisfies Declaration;

/** The imports have code for its lists of recipients. */
export const importNames: ImportNames = {};

/** UTF-16 units, and bytes of all: a text of more than 2 KiB becomes an attachment. */
const LIMITS = { title: 200, text: 1500, bytes: 2000 };

/** https://bbernhard.github.io/signal-cli-rest-api/#/Messages/post_v2_send */
export const delivery: Delivery<typeof declaration> = {
  request({ url, options: { number, recipients } }, { message }) {
    return jsonRequest(serviceUrl(url, "/v2/send"), {
      message: textOf(message),
      number,
      recipients,
      text_mode: "normal",
    });
  },
  failures: {
    // The service also answers 400 if its network fails.
    statuses: { 400: "temporary" },
    explain,
  },
};

/** Only the lines between the title and the links are cut to the limit of bytes. */
function textOf(message: AlertMessage): string {
  const title = truncate(message.title, LIMITS.title);
  const links = plainLinks(message);
  const left = LIMITS.bytes - bytesOf([title, "", ...links].join("\n"));
  return [title, truncateToBytes(linesOf(message, LIMITS.text), left), ...links].join("\n");
}

/** Errors that a repetition does not change, and our word for them. */
const FINAL: [RegExp, string][] = [
  [/unregistered|not registered/i, "not_registered"],
  [/account does not exist|please provide a valid number/i, "no_such_number"],
  [/invalid|cannot be (sent|specified)|at least one recipient|couldn't process/i, "invalid_request"],
  [/untrusted/i, "untrusted_identity"],
];

function explain({ status, body: { error } }: FailureAnswer) {
  if (status === 429) return { word: "rate_limit" };
  if (status !== 400 || typeof error !== "string") return {};
  const word = FINAL.find(([pattern]) => pattern.test(error))?.[1];
  return word === undefined ? {} : ({ word, meaning: "final" } as const);
}
