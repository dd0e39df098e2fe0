import { Type } from "@sinclair/typebox";
import { truncate } from "../../truncate.ts";
import { type AlertMessage, shortLinks } from "../alert-event.ts";
import { escapeHtml, jsonRequest, linesOf, SIGNS, seconds, segment, serviceUrl } from "./request.ts";
import { type Declaration, type Delivery, type ImportNames, optional, secretOption } from "./service.ts";

export const declaration = {
  label: "Telegram",
  since: 6,
  readBy: "people",
  // A robot.
  icon: "M5 9h14v10H5zM12 9V5M9.2 13v1M14.8 13v1M9.5 16.5h5M2.5 12.5v3M21.5 12.5v3",
  url: { usual: "https://api.telegram.org" },
  options: {
    token: secretOption("The token of the bot."),
    chatId: {
      example: "-1001234567890",
      schema: Type.String({ format: "telegram-chat", maxLength: 64, examples: ["-1001234567890"] }),
    },
    threadId: optional({
      isRare: true,
      schema: Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: "The topic of a forum.",
      }),
    }),
  },
  rules: {
    "telegram-chat": {
      must: "be the number of a chat, such as -1001234567890, or the name of a channel, such as @alerts",
      accepts: (text) => /^(-?\d{1,20}|@\w{1,63})$/.test(text),
    },
  },
} satisfies Declaration;

export const importNames: ImportNames = {
  kuma: {
    type: "telegram",
    url: "telegramServerUrl",
    options: {
      token: "telegramBotToken",
      chatId: "telegramChatID",
      threadId: "telegramMessageThreadID",
    },
    template: "telegramUseTemplate",
    ignored: ["telegramSendSilently", "telegramProtectContent"],
  },
  gatus: {
    type: "telegram",
    url: "api-url",
    options: { token: "token", chatId: "id", threadId: "topic-id" },
  },
  healthchecks: "telegram",
};

/** A message has at most 4096 characters after its markup is parsed: together with the links, these stay below. */
const LIMITS = { title: 256, text: 3000 };

/** https://core.telegram.org/bots/api#sendmessage */
export const delivery: Delivery<typeof declaration> = {
  request({ url, options: { token, chatId, threadId } }, { message }) {
    // The token is digits, a colon and more, and the colon stays as it is in the examples of Telegram.
    const bot = `/bot${segment(token).replaceAll("%3A", ":")}`;
    return jsonRequest(serviceUrl(url, `${bot}/sendMessage`), {
      chat_id: chatId,
      ...(threadId !== undefined && { message_thread_id: threadId }),
      text: linesWithMarkup(message),
      parse_mode: "HTML",
      link_preview_options: { is_disabled: true },
    });
  },
  failures: {
    explain: ({ body: { description, parameters } }) => ({
      word: wordOf(description),
      retryAfterMs: seconds((parameters as { retry_after?: unknown } | undefined)?.retry_after),
    }),
  },
  /** A group that became a supergroup has another ID. */
  moved(config, { body: { parameters } }) {
    const id = (parameters as { migrate_to_chat_id?: unknown } | undefined)?.migrate_to_chat_id;
    return Number.isSafeInteger(id)
      ? { ...config, options: { ...config.options, chatId: String(id) } }
      : undefined;
  },
};

/** Patterns of descriptions of failures, each with our word for it. */
const WORDS: [RegExp, string][] = [
  [/chat not found/i, "chat_not_found"],
  [/bot was blocked/i, "bot_blocked"],
  [/bot was kicked|bot is not a member/i, "bot_not_in_chat"],
  [/user is deactivated/i, "user_deactivated"],
  [/message thread not found/i, "thread_not_found"],
  [/not enough rights/i, "not_enough_rights"],
  [/upgraded to a supergroup/i, "chat_moved"],
];

function wordOf(description: unknown): string | undefined {
  if (typeof description !== "string") return undefined;
  return WORDS.find(([pattern]) => pattern.test(description))?.[1];
}

function linesWithMarkup(message: AlertMessage): string {
  const links = shortLinks(message).map(
    ({ url, label }) => `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`,
  );
  return [
    `${SIGNS[message.group]} <b>${truncate(message.title, LIMITS.title, escaped)}</b>`,
    linesOf(message, LIMITS.text, escaped),
    links.join(" · "),
  ].join("\n");
}

/** An @ before a name would notify that user, so that a word joiner follows it. */
function escaped(character: string): string {
  return character === "@" ? "@\u2060" : escapeHtml(character);
}
