import type { WebhookConfig } from "../../domain/alerts/webhook-format.ts";
import { truncate } from "../../domain/truncate.ts";
import { type AlertMessage, mainLink } from "../alert-message.ts";
import { describeNotification } from "../message.ts";
import type { Format } from "./format.ts";
import { linesOf, SIGNS } from "./plain-text.ts";
import { jsonRequest, seconds, segment, serviceUrl } from "./service-request.ts";

/** A message has at most 4096 characters after its markup is parsed: together with the links, these stay below. */
const LIMITS = { title: 256, text: 3000 };

/** https://core.telegram.org/bots/api#sendmessage */
export const telegram: Format<"telegram"> = {
  request({ url, options: { token, chatId, threadId } }, notification, baseUrl) {
    // The token is digits, a colon and more, and the colon stays as it is in the examples of Telegram.
    const bot = `/bot${segment(token).replaceAll("%3A", ":")}`;
    return jsonRequest(serviceUrl(url, `${bot}/sendMessage`), {
      chat_id: chatId,
      ...(threadId !== undefined && { message_thread_id: threadId }),
      text: linesWithMarkup(describeNotification(notification, baseUrl)),
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
    return Number.isSafeInteger(id) ? withChat(config, String(id)) : undefined;
  },
};

function withChat(config: WebhookConfig<"telegram">, chatId: string): WebhookConfig<"telegram"> {
  return { ...config, options: { ...config.options, chatId } };
}

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
  const { url, label } = mainLink(message);
  return [
    `${SIGNS[message.group]} <b>${truncate(message.title, LIMITS.title, escaped)}</b>`,
    linesOf(message, LIMITS.text, escaped),
    `<a href="${Bun.escapeHTML(url)}">${label}</a>`,
  ].join("\n");
}

/** An @ before a name would notify that user, so that a word joiner follows it. */
function escaped(character: string): string {
  return character === "@" ? "@\u2060" : Bun.escapeHTML(character);
}
