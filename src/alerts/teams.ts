import { type AlertMessage, linksOf } from "../domain/alerts/alert-event.ts";
import type { DeliveryAttempt } from "../domain/alerts/delivery.ts";
import type { StatusGroup } from "../domain/monitors/status.ts";
import { truncate } from "../domain/truncate.ts";

/** Limits in characters. With up to three bytes each, the message stays below the 28 kB of Teams. A line is one of up to 21. */
const LIMITS = { title: 300, reason: 3000, fact: 800, line: 140 };

/** The style of the title in an Adaptive Card. */
const styles: Record<StatusGroup, string> = { down: "attention", warning: "warning", healthy: "good" };

/** An Adaptive Card: Teams workflows and the older connectors accept the same message (behavior 5.27). */
export function teamsMessage(message: AlertMessage) {
  return {
    type: "message",
    summary: truncate(message.title, LIMITS.title),
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: card(message),
      },
    ],
  };
}

function card(message: AlertMessage) {
  const { title, reason, facts, list = [], group, words } = message;
  // A FactSet has Markdown.
  const [fromUsers, own] = [
    facts.filter((fact) => fact.isFromUser),
    facts.filter((fact) => !fact.isFromUser),
  ];
  return {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    msteams: { width: "Full" },
    fallbackText: truncate(title, LIMITS.title),
    body: [
      {
        type: "Container",
        style: styles[group],
        bleed: true,
        items: [plainText(truncate(title, LIMITS.title), { size: "Large", weight: "Bolder" })],
      },
      plainText(truncate(reason, LIMITS.reason)),
      { type: "FactSet", facts: own.map(({ label, value }) => ({ title: label, value })) },
      ...fromUsers.map(({ label, value }) =>
        plainText(truncate(`${label}${words.colon}${value}`, LIMITS.fact)),
      ),
      ...list.map((line) => plainText(truncate(line, LIMITS.line))),
    ],
    actions: linksOf(message).map(({ label, url }) => ({ type: "Action.OpenUrl", title: label, url })),
  };
}

/** A TextRun, unlike a TextBlock, has no Markdown. */
function plainText(text: string, look: { size?: string; weight?: string } = {}) {
  return { type: "RichTextBlock", inlines: [{ type: "TextRun", text, ...look }] };
}

/** The older connectors answer 200 even if Teams refused the message. Only the body says so. */
export function teamsRefusal(attempt: DeliveryAttempt, text: string): DeliveryAttempt {
  const [, status] = /delivery failed.*HTTP error (\d{3})/is.exec(text) ?? [];
  if (attempt.outcome === "failed" || status === undefined) return attempt;
  const error = `the receiver answered 200, but Teams refused the message with ${status}`;
  return { outcome: "failed", error, final: false, answer: `${attempt.answer} HTTP error ${status}` };
}
