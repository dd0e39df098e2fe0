import { Type } from "@sinclair/typebox";
import type { FormatRule } from "../schemas/schema.ts";

/*
 * The addresses of the chat services (behavior 5.37). The parsed URL is judged, because a prefix of the text does not
 * show user info or a path with `..`.
 */

const TEAMS_DOMAINS = [".webhook.office.com", ".logic.azure.com", ".environment.api.powerplatform.com"];
const OUTLOOK_HOSTS = ["outlook.office.com", "outlook.office365.com"];

export const SlackWebhookUrl = Type.String({ format: "slack-webhook-url", maxLength: 2048 });
export const DiscordWebhookUrl = Type.String({ format: "discord-webhook-url", maxLength: 2048 });
export const TeamsWebhookUrl = Type.String({ format: "teams-webhook-url", maxLength: 2048 });

export const webhookUrlRules: Record<string, FormatRule> = {
  "slack-webhook-url": {
    must: "begin with https://hooks.slack.com/",
    accepts: (text) => parsed(text)?.origin === "https://hooks.slack.com",
  },
  "discord-webhook-url": {
    must: "begin with https://discord.com/api/webhooks/ or https://discordapp.com/api/webhooks/",
    accepts: (text) => isDiscord(parsed(text)),
  },
  "teams-webhook-url": {
    must:
      "begin with https:// and a host of *.webhook.office.com, outlook.office.com, outlook.office365.com, " +
      "*.logic.azure.com or *.environment.api.powerplatform.com, without another port than 443",
    accepts: (text) => isTeams(parsed(text)),
  },
};

function isDiscord(url: URL | undefined): boolean {
  if (!url || !/^https:\/\/discord(app)?\.com$/.test(url.origin)) return false;
  return url.pathname.startsWith("/api/webhooks/");
}

function isTeams(url: URL | undefined): boolean {
  if (!url) return false;
  const { protocol, hostname, port, pathname } = url;
  // The parsed URL has no port if it is the default of its scheme.
  if (protocol !== "https:" || port !== "") return false;
  if (OUTLOOK_HOSTS.includes(hostname)) return pathname.startsWith("/webhook");
  return TEAMS_DOMAINS.some((domain) => hostname.endsWith(domain) && hostname !== domain);
}

/** Undefined for a URL with user info, or with characters that a parser drops or replaces. */
function parsed(text: string): URL | undefined {
  if (/[\s\\\p{Cc}]/u.test(text)) return undefined;
  const url = URL.parse(text);
  return url && url.username === "" && url.password === "" ? url : undefined;
}
