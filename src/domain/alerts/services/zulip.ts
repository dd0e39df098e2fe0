import { Type } from "@sinclair/typebox";
import { Email } from "../../schemas/format.ts";
import { truncate } from "../../truncate.ts";
import { isTransition, shortLinks, subjectOfNotice } from "../alert-event.ts";
import { linesOf, markdownLink, SIGNS, seconds, serviceUrl, withJoiner } from "./request.ts";
import {
  type Declaration,
  type Delivery,
  type FailureAnswer,
  type ImportNames,
  optional,
  type Sending,
  secretOption,
} from "./service.ts";

/** Characters of a topic, and of the name of a channel of Zulip. */
const MAX_NAME = 60;

export const declaration = {
  label: "Zulip",
  since: 31,
  readBy: "people",
  // Topics, one below the other.
  icon: "M4 5h16M7 9.5h13M4 14h16M7 18.5h9",
  url: { example: "https://example.zulipchat.com" },
  options: {
    email: {
      example: "alerts-bot@example.zulipchat.com",
      schema: Email,
    },
    token: secretOption("The API key of the bot."),
    stream: {
      schema: Type.String({ minLength: 1, maxLength: MAX_NAME, examples: ["alerts"] }),
    },
    topic: optional({
      isRare: true,
      schema: Type.String({
        minLength: 1,
        maxLength: MAX_NAME,
        description: "Default: the name of the monitor, cut to 60 characters.",
      }),
    }),
  },
  ownHeaders: ["authorization"],
} satisfies Declaration;

/** Uptime Kuma has no Zulip. Gatus has the host of the server, and the ID of the channel. */
export const importNames: ImportNames = {
  gatus: {
    type: "zulip",
    url: "domain",
    prefix: "https://",
    options: { email: "bot-email", token: "bot-api-key", stream: "channel-id", topic: "topic" },
  },
  healthchecks: "zulip",
};

/** Characters. A message has at most 10,000. */
const LIMITS = { title: 250, text: 6000 };

/** https://zulip.com/api/send-message */
export const delivery: Delivery<typeof declaration> = {
  request({ url, options: { email, token, stream, topic } }, sending) {
    const { message } = sending;
    const content = [
      `${SIGNS[message.group]} **${truncate(message.title, LIMITS.title, withJoiner)}**`,
      linesOf(message, LIMITS.text, withJoiner),
      shortLinks(message).map(markdownLink).join(" · "),
    ].join("\n");
    const form = { type: "stream", to: stream, topic: topic ?? topicOf(sending), content };
    return {
      method: "POST",
      url: serviceUrl(url, "/api/v1/messages"),
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        authorization: `Basic ${base64(`${email}:${token}`)}`,
      },
      body: new URLSearchParams(form).toString(),
    };
  },
  failures: {
    explain: (answer) => ({ word: wordOf(answer), retryAfterMs: seconds(answer.body["retry-after"]) }),
  },
};

/** A message about many events is about many monitors. */
function topicOf({ event, others = [] }: Sending): string {
  if (others.length > 0) return "stillup";
  const name = isTransition(event) ? event.monitor.name : subjectOfNotice(event).name;
  return truncate(name, MAX_NAME);
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

/** https://zulip.com/api/rest-error-handling */
const WORDS = [
  "BAD_REQUEST",
  "INVALID_API_KEY",
  "RATE_LIMIT_HIT",
  "REALM_DEACTIVATED",
  "STREAM_DOES_NOT_EXIST",
  "UNAUTHORIZED",
  "USER_DEACTIVATED",
];

function wordOf({ body: { code } }: FailureAnswer): string | undefined {
  return WORDS.find((word) => word === code);
}
