import type { WebhookFormat } from "./webhook-format.ts";

/* Names of the formats, without their schemas: lists on the page load only this. */

/** The name of the service that reads a format. */
export const formatLabels: Record<WebhookFormat, string> = {
  standard: "Webhook",
  ntfy: "ntfy",
  gotify: "Gotify",
  telegram: "Telegram",
  pushover: "Pushover",
  pagerduty: "PagerDuty",
  matrix: "Matrix",
  googlechat: "Google Chat",
  signal: "Signal",
  alertmanager: "Alertmanager",
  webpush: "Device",
  custom: "Custom request",
};

/** The `url` that most channels of a format have; none if each user has another one. */
export const usualUrls = {
  ntfy: "https://ntfy.sh",
  telegram: "https://api.telegram.org",
  pushover: "https://api.pushover.net",
  pagerduty: "https://events.pagerduty.com",
} satisfies Partial<Record<WebhookFormat, string>>;
