import type { ChannelConfig } from "../domain/alerts/channel.ts";
import type { DeliveryAttempt } from "../domain/alerts/delivery.ts";
import { colours } from "./colour.ts";
import type { DeliverySettings } from "./delivery-settings.ts";
import { type AlertMessage, describeEvent, type Fact } from "./message.ts";
import type { Notification } from "./notification.ts";
import { post } from "./post.ts";
import { truncate } from "./truncate.ts";

/** Limits in characters. */
const LIMITS = { text: 1000, header: 150, section: 3000, field: 2000 };

/** Posts blocks with a colour bar to a Slack incoming webhook. */
export function deliverSlack(
  { webhookUrl }: ChannelConfig<"SLACK">,
  { event }: Notification,
  settings: DeliverySettings,
): Promise<DeliveryAttempt> {
  const body = JSON.stringify(slackMessage(describeEvent(event, settings.baseUrl())));
  return post(webhookUrl, { body, headers: {} }, settings, withWord);
}

/**
 * Texts of users and targets are `plain_text`, which has neither mentions nor markup. They are escaped too, because
 * Slack requires it for every text.
 */
export function slackMessage({ title, reason, facts, link, group }: AlertMessage) {
  return {
    text: truncate(`${title}: ${reason}`, LIMITS.text, toEntity),
    mrkdwn: false,
    link_names: false,
    unfurl_links: false,
    attachments: [
      {
        color: colours[group],
        blocks: [
          { type: "header", text: plainText(title, LIMITS.header) },
          { type: "section", text: plainText(reason, LIMITS.section) },
          { type: "section", fields: facts.map(field) },
          { type: "context", elements: [{ type: "mrkdwn", text: `<${escapeAll(link)}|Open in stillup>` }] },
        ],
      },
    ],
  };
}

/** The body of a refusal is one word, such as `no_service`. */
function withWord(attempt: DeliveryAttempt, text: string): DeliveryAttempt {
  if (attempt.outcome === "delivered" || !/^[a-z_]{1,40}$/.test(text.trim())) return attempt;
  const word = text.trim();
  const final = attempt.final || word === "no_service";
  return { ...attempt, final, error: `${attempt.error} ${word}`, answer: `${attempt.answer} ${word}` };
}

function plainText(text: string, limit: number) {
  return { type: "plain_text", text: truncate(text, limit, toEntity), emoji: false };
}

function field({ label, value, isFromUser }: Fact) {
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
