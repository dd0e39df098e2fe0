import { Type } from "@sinclair/typebox";
import { truncate } from "../../truncate.ts";
import { type AlertMessage, colours, mainLink, shortLinks } from "../alert-event.ts";
import { jsonRequest, markdownLink, withJoiner } from "./request.ts";
import {
  type Declaration,
  type Delivery,
  type FailureAnswer,
  type ImportNames,
  optional,
} from "./service.ts";

export const declaration = {
  label: "Mattermost",
  since: 32,
  readBy: "people",
  // A speech bubble with lines.
  icon: "M4 5h16v11H11l-4 4v-4H4zM8 9h8M8 12.5h5",
  url: { isSecret: true, holdsToken: true },
  options: {
    channel: optional({
      example: "town-square",
      isRare: true,
      schema: Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          "The name in the address of the channel, or `@user`. Default: the channel of the webhook.",
      }),
    }),
    username: optional({
      isRare: true,
      schema: Type.String({ minLength: 1, maxLength: 64, description: "Shown as the author." }),
    }),
  },
} satisfies Declaration;

export const importNames: ImportNames = {
  kuma: {
    type: "mattermost",
    url: "mattermostWebhookUrl",
    options: { channel: "mattermostchannel", username: "mattermostusername" },
    ignored: ["mattermosticonemo", "mattermosticonurl"],
  },
  gatus: { type: "mattermost", url: "webhook-url", options: { channel: "channel" }, ignored: ["title"] },
  healthchecks: "mattermost",
};

/** Characters, so that a message fits the 7,600 of the JSON of all attachments that servers before version 7 take. */
const LIMITS = { title: 250, text: 2500, value: 500, line: 140 };

/** https://developers.mattermost.com/integrate/webhooks/incoming/, https://developers.mattermost.com/integrate/reference/message-attachments/ */
export const delivery: Delivery<typeof declaration> = {
  request: ({ url, options: { channel, username } = {} }, { message }) =>
    jsonRequest(url, {
      // Names of channels are in lower case.
      ...(channel !== undefined && { channel: channel.toLowerCase() }),
      ...(username !== undefined && { username }),
      attachments: [attachmentOf(message)],
    }),
  // A message of the server contains the key of the webhook.
  failures: { explain: (answer) => ({ word: wordOf(answer) }) },
};

function attachmentOf(message: AlertMessage) {
  const { title, reason, facts, list = [], group } = message;
  const lines = [reason, ...list.map((line) => truncate(line, LIMITS.line))];
  // The title is the first link.
  const [, ...links] = shortLinks(message);
  return {
    fallback: truncate(`${title}: ${reason}`, LIMITS.title, withJoiner),
    color: colours[group],
    title: truncate(title, LIMITS.title, withJoiner),
    title_link: mainLink(message).url,
    text: [truncate(lines.join("\n"), LIMITS.text, withJoiner), ...links.map(markdownLink)].join("\n"),
    fields: facts.map(({ label, value }) => ({
      title: label,
      value: truncate(value, LIMITS.value, withJoiner),
      short: true,
    })),
  };
}

/** By the ID of an error, without what all IDs have in common. Newer servers have one ID for all of them: the status says enough. */
const WORDS: Record<string, string> = {
  invalid: "invalid_webhook",
  disabled: "webhooks_disabled",
  channel: "channel_not_found",
  channel_locked: "channel_locked",
  user: "user_not_found",
  permissions: "not_permitted",
  parse: "invalid_request",
};

function wordOf({ body: { id } }: FailureAnswer): string | undefined {
  const [, name = ""] = /^web\.incoming_webhook\.(\w+)\.app_error$/.exec(String(id)) ?? [];
  return Object.hasOwn(WORDS, name) ? WORDS[name] : undefined;
}
