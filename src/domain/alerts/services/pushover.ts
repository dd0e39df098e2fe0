import { Type } from "@sinclair/typebox";
import { truncate } from "../../truncate.ts";
import { type AlertMessage, mainLink } from "../alert-event.ts";
import { jsonRequest, linesOf, plainLinks, priorityOf, serviceUrl } from "./request.ts";
import {
  type Declaration,
  type Delivery,
  type FailureAnswer,
  type ImportNames,
  optional,
  priorityOption,
  secretOption,
} from "./service.ts";

export const declaration = {
  label: "Pushover",
  since: 6,
  readBy: "people",
  // A phone that vibrates.
  icon: "M8 3.5h8v17H8zM11 17.5h2M4.5 8.5v7M19.5 8.5v7",
  url: { usual: "https://api.pushover.net" },
  options: {
    token: secretOption("The API token of the application."),
    user: secretOption("The key of the user or of the group."),
    device: optional({
      isRare: true,
      schema: Type.String({
        format: "pushover-device",
        maxLength: 250,
        description: "The name of the device, or names that commas separate. Default: all.",
      }),
    }),
    priority: priorityOption({
      range: [-2, 1],
      isChoice: true,
      description: "Of every message. Default: 1 if a monitor is down, else 0.",
    }),
  },
  rules: {
    "pushover-device": {
      must: "be the name of a device, or names that commas separate",
      accepts: (text) => /^[\w-]{1,25}(,[\w-]{1,25})*$/.test(text),
    },
  },
} satisfies Declaration;

/** The import of Gatus has code for its priorities. */
export const importNames: ImportNames = {
  kuma: {
    type: "pushover",
    options: {
      token: "pushoverapptoken",
      user: "pushoveruserkey",
      device: "pushoverdevice",
      priority: { nearest: "pushoverpriority" },
    },
    ignored: ["pushovertitle", "pushoverttl"],
  },
  healthchecks: "po",
};

/** Characters (https://pushover.net/api#limits). */
const LIMITS = { title: 250, message: 1024, url: 512, urlTitle: 100 };

/** 1 bypasses the quiet hours of the user. */
const PRIORITIES = { down: 1, warning: 0, healthy: 0 };

/** Fields that an answer can name as invalid. */
const FIELDS = ["token", "user", "device", "message", "priority"];

/** https://pushover.net/api */
export const delivery: Delivery<typeof declaration> = {
  request({ url, options }, { message }) {
    const { title, group, at } = message;
    const { token, user, device } = options;
    const link = mainLink(message);
    return jsonRequest(serviceUrl(url, "/1/messages.json"), {
      token,
      user,
      ...(device !== undefined && { device }),
      title: truncate(title, LIMITS.title),
      message: textOf(message),
      priority: priorityOf(options, group, PRIORITIES),
      timestamp: Math.floor(at / 1000),
      ...(link.url.length <= LIMITS.url && {
        url: link.url,
        url_title: truncate(link.label, LIMITS.urlTitle),
      }),
    });
  },
  failures: {
    explain: (answer) => ({ word: invalidField(answer), retryAfterMs: untilReset(answer) }),
  },
};

/** A message has one link of its own. The apps turn the address of another one into a link. */
function textOf(message: AlertMessage): string {
  const [, acknowledge] = plainLinks(message);
  if (acknowledge === undefined) return linesOf(message, LIMITS.message);
  return `${linesOf(message, LIMITS.message - acknowledge.length - 1)}\n${acknowledge}`;
}

function invalidField({ body }: FailureAnswer): string | undefined {
  const field = FIELDS.find((name) => body[name] === "invalid");
  return field && `${field}_invalid`;
}

/** 429: the messages of the month are used up, and a header has the time, in seconds, from which on there are new ones. */
function untilReset({ status, headers, now }: FailureAnswer): number | undefined {
  const reset = Number(headers["x-limit-app-reset"]);
  return status === 429 && reset > 0 ? Math.max(0, reset * 1000 - now) : undefined;
}
