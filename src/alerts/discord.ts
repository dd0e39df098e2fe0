import { type AlertMessage, colours, type Fact } from "../domain/alerts/alert-event.ts";
import type { DeliveryAttempt } from "../domain/alerts/delivery.ts";
import { markdownLink } from "../domain/alerts/services/request.ts";
import { truncate } from "../domain/truncate.ts";
import { parseObject } from "./post.ts";

/**
 * Limits in characters. Discord allows 4096 for a description and 1024 for a value, but only 6000 in total, which must have
 * room for all parts. A line is one of up to 21.
 */
const LIMITS = { title: 256, description: 2000, label: 256, value: 800, line: 140 };

/** An embed for a Discord webhook. */
export function discordMessage({
  title,
  reason,
  facts,
  list = [],
  link,
  outageLink,
  acknowledgeLink,
  group,
  at,
  words,
}: AlertMessage) {
  const lines = list.map((line) => truncate(line, LIMITS.line, withBackslash));
  return {
    embeds: [
      {
        title: truncate(title, LIMITS.title, withBackslash),
        url: link,
        description: [truncate(reason, LIMITS.description, withBackslash), ...lines].join("\n"),
        color: Number.parseInt(colours[group].slice(1), 16),
        fields: [
          ...facts.map(field),
          ...(outageLink === undefined ? [] : [linkField(words.outageLabel, words.outage, outageLink)]),
          ...(acknowledgeLink === undefined
            ? []
            : [linkField(words.acknowledgeLabel, words.acknowledge, acknowledgeLink)]),
        ],
        timestamp: new Date(at).toISOString(),
      },
    ],
    // A name that contains a mention must not notify anybody.
    allowed_mentions: { parse: [] },
  };
}

function field({ label, value, isFromUser }: Fact) {
  const shown = truncate(value, LIMITS.value, isFromUser && withBackslash);
  return { name: truncate(label, LIMITS.label), value: shown, inline: true };
}

function linkField(name: string, label: string, url: string) {
  return { name, value: markdownLink({ label, url }), inline: true };
}

/** Discord takes any ASCII punctuation after a backslash literally, also in mentions, links and emoji. */
function withBackslash(character: string): string {
  return /[!-/:-@[-`{-~]/.test(character) && !/[.,;'"%&=+$?!]/.test(character) ? `\\${character}` : character;
}

/** After a 429, the body has the seconds to wait, with a fraction. The numeric error codes contain no secret. */
export function discordRefusal(attempt: DeliveryAttempt, text: string): DeliveryAttempt {
  if (attempt.outcome === "delivered") return attempt;
  const { retry_after: seconds, code } = parseObject(text);
  const delay = typeof seconds === "number" && seconds >= 0 ? Math.ceil(seconds * 1000) : 0;
  const retryAfterMs = Math.max(delay, attempt.retryAfterMs ?? 0);
  return {
    ...attempt,
    ...(retryAfterMs > 0 && { retryAfterMs }),
    ...(Number.isInteger(code) && { answer: `${attempt.answer} code ${code}` }),
  };
}
