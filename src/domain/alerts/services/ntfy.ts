import { Type } from "@sinclair/typebox";
import { fault } from "../../faults/fault.ts";
import { truncate } from "../../truncate.ts";
import { mainLink } from "../alert-event.ts";
import { jsonRequest, linesOf, priorityOf, serviceUrl, truncateToBytes } from "./request.ts";
import {
  type Declaration,
  type Delivery,
  type ImportNames,
  optional,
  priorityOption,
  secretOption,
} from "./service.ts";

export const declaration = {
  label: "ntfy",
  since: 6,
  readBy: "people",
  // A bell.
  icon: "M6 17v-6a6 6 0 0 1 12 0v6M4 17h16M10.5 20.5h3",
  url: { usual: "https://ntfy.sh" },
  options: {
    topic: {
      schema: Type.String({ format: "ntfy-topic", maxLength: 64, examples: ["alerts"] }),
    },
    token: optional(secretOption("An access token of the user that publishes.")),
    priority: priorityOption({
      range: [1, 5],
      isChoice: true,
      description: "Of every message. Default: 4 if a monitor is down, else 3.",
    }),
  },
  rules: {
    "ntfy-topic": {
      must: "be 1 to 64 letters, digits, hyphens and underscores",
      accepts: (text) => /^[\w-]{1,64}$/.test(text),
    },
  },
  check({ options }, hasHeader) {
    if (options?.token !== undefined && hasHeader("authorization"))
      throw fault("leaveOutIfHeader", {
        field: "config.options.token",
        other: "config.headers",
        header: "Authorization",
      });
  },
} satisfies Declaration;

/** The import of Uptime Kuma has code for its kinds of authentication. */
export const importNames: ImportNames = {
  gatus: {
    type: "ntfy",
    url: "url",
    options: { topic: "topic", token: "token", priority: "priority" },
    ignored: ["email", "click", "disable-firebase", "disable-cache"],
  },
  healthchecks: "ntfy",
};

/** Bytes. A longer message becomes an attachment, which a server may not allow. */
const MAX_MESSAGE = 4000;
const MAX_TITLE = 250;

const PRIORITIES = { down: 4, warning: 3, healthy: 3 };

/** Names of emoji, which the apps show before the title. */
const TAGS = { down: "red_circle", warning: "warning", healthy: "white_check_mark" };

/** https://docs.ntfy.sh/publish/#publish-as-json */
export const delivery: Delivery<typeof declaration> = {
  request({ url, options }, { message }) {
    const { title, group } = message;
    const { topic, token } = options;
    const link = mainLink(message);
    const { acknowledgeLink, words } = message;
    return jsonRequest(
      serviceUrl(url, "/"),
      {
        topic,
        title: truncate(title, MAX_TITLE),
        message: truncateToBytes(linesOf(message, MAX_MESSAGE), MAX_MESSAGE),
        priority: priorityOf(options, group, PRIORITIES),
        tags: [TAGS[group]],
        click: link.url,
        actions: [
          { action: "view", label: link.label, url: link.url },
          // The app sends the request itself, and then removes the notification.
          ...(acknowledgeLink === undefined
            ? []
            : [
                {
                  action: "http",
                  label: words.acknowledge,
                  url: acknowledgeLink,
                  method: "POST",
                  clear: true,
                },
              ]),
        ],
      },
      token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
    );
  },
  failures: {
    // The number has the status code and says which of the limits was reached, such as 42908 for the limit of a day. Another number may be
    // of another server.
    explain: ({ status, body: { code } }) =>
      Number.isInteger(code) && Math.floor(Number(code) / 100) === status ? { word: `code ${code}` } : {},
  },
};
