import { Type } from "@sinclair/typebox";
import { defineFormat } from "../schemas/format.ts";

/*
 * The addresses of the chat services (behavior 5.37). The parsed URL is judged, because a prefix of the text does not
 * show user info or a path with `..`.
 */

const TEAMS_DOMAINS = [".webhook.office.com", ".logic.azure.com", ".environment.api.powerplatform.com"];
const OUTLOOK_HOSTS = ["outlook.office.com", "outlook.office365.com"];

export const SlackWebhookUrl = webhookUrl("slack-webhook-url", {
  must: "begin with https://hooks.slack.com/",
  accepts: ({ origin }) => origin === "https://hooks.slack.com",
});

export const DiscordWebhookUrl = webhookUrl("discord-webhook-url", {
  must: "begin with https://discord.com/api/webhooks/ or https://discordapp.com/api/webhooks/",
  accepts: ({ origin, pathname }) =>
    /^https:\/\/discord(app)?\.com$/.test(origin) && pathname.startsWith("/api/webhooks/"),
});

export const TeamsWebhookUrl = webhookUrl("teams-webhook-url", {
  must:
    "begin with https:// and a host of *.webhook.office.com, outlook.office.com, outlook.office365.com, " +
    "*.logic.azure.com or *.environment.api.powerplatform.com, without another port than 443",
  accepts: isTeams,
});

function isTeams({ protocol, hostname, port, pathname }: URL): boolean {
  // The parsed URL has no port if it is the default of its scheme.
  if (protocol !== "https:" || port !== "") return false;
  if (OUTLOOK_HOSTS.includes(hostname)) return pathname.startsWith("/webhook");
  return TEAMS_DOMAINS.some((domain) => hostname.endsWith(domain) && hostname !== domain);
}

function webhookUrl(format: string, { must, accepts }: { must: string; accepts: (url: URL) => boolean }) {
  defineFormat(format, { must, accepts: (text) => accepts(parsed(text) ?? NOWHERE) });
  return Type.String({ format, maxLength: 2048 });
}

const NOWHERE = new URL("about:blank");

/** Undefined for a URL with user info, or with characters that a parser drops or replaces. */
function parsed(text: string): URL | undefined {
  if (/[\s\\\p{Cc}]/u.test(text)) return undefined;
  const url = URL.parse(text);
  return url && url.username === "" && url.password === "" ? url : undefined;
}
