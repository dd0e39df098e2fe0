import { type AlertMessage, colours, type Fact, linksOf } from "../domain/alerts/alert-event.ts";
import type { DeliveryAttempt } from "../domain/alerts/delivery.ts";
import { truncate } from "../domain/truncate.ts";

/** Limits in characters. A line is one of up to 21 in a section. */
const LIMITS = { text: 1000, header: 150, section: 3000, field: 2000, line: 140 };

/** The most fields of a section. */
const MAX_FIELDS = 10;

/**
 * Blocks with a colour bar for a Slack incoming webhook. Texts of users and targets are `plain_text`, which has neither mentions nor markup. They are escaped too, because
 * Slack requires it for every text.
 */
export function slackMessage(message: AlertMessage) {
  const { title, reason, group } = message;
  return {
    text: truncate(`${title}: ${reason}`, LIMITS.text, toEntity),
    mrkdwn: false,
    link_names: false,
    unfurl_links: false,
    attachments: [{ color: colours[group], blocks: blocksOf(message) }],
  };
}

interface Text {
  type: "plain_text" | "mrkdwn";
  text: string;
  emoji?: false;
}

interface Block {
  type: "header" | "section" | "context";
  text?: Text;
  fields?: Text[];
  elements?: Text[];
}

function blocksOf(message: AlertMessage): Block[] {
  const { title, reason, facts, list } = message;
  const links = linksOf(message).map(({ url, label }) => `<${escapeAll(url)}|${escapeAll(label)}>`);
  return [
    { type: "header", text: plainText(title, LIMITS.header) },
    { type: "section", text: plainText(reason, LIMITS.section) },
    ...sectionsOf(facts.map(field)),
    ...(list ? [{ type: "section", text: lines(list) } as const] : []),
    { type: "context", elements: [{ type: "mrkdwn", text: links.join(" · ") }] },
  ];
}

function sectionsOf(fields: Text[]): Block[] {
  return Array.from({ length: Math.ceil(fields.length / MAX_FIELDS) }, (_, at) => ({
    type: "section",
    fields: fields.slice(at * MAX_FIELDS, (at + 1) * MAX_FIELDS),
  }));
}

/** The body of a refusal is one word, such as `no_service`. */
export function slackRefusal(attempt: DeliveryAttempt, text: string): DeliveryAttempt {
  if (attempt.outcome === "delivered" || !/^[a-z_]{1,40}$/.test(text.trim())) return attempt;
  const word = text.trim();
  const final = attempt.final || word === "no_service";
  return { ...attempt, final, error: `${attempt.error} ${word}`, answer: `${attempt.answer} ${word}` };
}

/** Each line is truncated, because otherwise a long name would hide the names after it. */
function lines(list: string[]): Text {
  const text = list.map((line) => truncate(line, LIMITS.line, toEntity)).join("\n");
  return { type: "plain_text", text, emoji: false };
}

function plainText(text: string, limit: number): Text {
  return { type: "plain_text", text: truncate(text, limit, toEntity), emoji: false };
}

function field({ label, value, isFromUser }: Fact): Text {
  if (isFromUser) return plainText(`${label}\n${value}`, LIMITS.field);
  return { type: "mrkdwn", text: truncate(`*${label}*\n${value}`, LIMITS.field, toEntity) };
}

function toEntity(character: string): string {
  return ESCAPES[character] ?? character;
}

function escapeAll(text: string): string {
  return [...text].map(toEntity).join("");
}

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
