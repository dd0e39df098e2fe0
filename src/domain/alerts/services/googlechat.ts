import { truncate } from "../../truncate.ts";
import { type AlertMessage, shortLinks } from "../alert-event.ts";
import { jsonRequest, linesOf, SIGNS, segment } from "./request.ts";
import type { Declaration, Delivery, FailureAnswer, ImportNames } from "./service.ts";

export const declaration = {
  label: "Google Chat",
  since: 6,
  readBy: "people",
  // Two speech bubbles.
  icon: "M4 5h11v8H9l-3 3v-3H4zM18 9h2v8h-2v3l-3-3h-4",
  url: { isSecret: true, holdsToken: true },
  options: {},
} satisfies Declaration;

export const importNames: ImportNames = {
  kuma: { type: "GoogleChat", url: "googleChatWebhookURL", template: "googleChatUseTemplate" },
  gatus: { type: "googlechat", url: "webhook-url" },
  healthchecks: "googlechat",
};

/** Characters. A text has at most 4096. */
const LIMITS = { title: 256, text: 3000 };

/** A space takes one message each second; it does not say for how long a fast sender is refused. */
const RATE_LIMIT_DELAY = 60_000;

/**
 * The request ID is the delivery, so that a repetition is no second message (behavior 16.152).
 * https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages/create
 */
export const delivery: Delivery<typeof declaration> = {
  request: ({ url }, { id, message }) =>
    jsonRequest(withRequestId(url, id), { text: linesWithMarkup(message) }),
  failures: {
    explain: (answer) => ({
      word: wordOf(answer),
      ...(answer.status === 429 && { retryAfterMs: RATE_LIMIT_DELAY }),
    }),
  },
};

/** The parameters of the webhook stay as they are: another escape of the token may not be accepted. */
function withRequestId(url: string, id: string): string {
  const [address = ""] = url.split("#");
  return `${address}${address.includes("?") ? "&" : "?"}requestId=${segment(id)}`;
}

const WORDS = new Set([
  "INVALID_ARGUMENT",
  "UNAUTHENTICATED",
  "PERMISSION_DENIED",
  "NOT_FOUND",
  "RESOURCE_EXHAUSTED",
  "INTERNAL",
  "UNAVAILABLE",
]);

function wordOf({ body: { error } }: FailureAnswer): string | undefined {
  const { status } = (error ?? {}) as { status?: unknown };
  return typeof status === "string" && WORDS.has(status) ? status : undefined;
}

function linesWithMarkup(message: AlertMessage): string {
  return [
    `${SIGNS[message.group]} *${truncate(message.title, LIMITS.title, escaped)}*`,
    linesOf(message, LIMITS.text, escaped),
    shortLinks(message)
      .map(({ url, label }) => `<${url}|${label}>`)
      .join(" · "),
  ].join("\n");
}

/** There is no escape: other brackets, so that a name is neither a link nor a mention such as `<users/all>`. */
function escaped(character: string): string {
  if (character === "<") return "‹";
  return character === ">" ? "›" : character;
}
