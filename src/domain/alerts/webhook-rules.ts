import { Type } from "@sinclair/typebox";
import { MASK } from "../schemas/mask.ts";
import type { FormatRule } from "../schemas/schema.ts";
import { type Declarations, declarations } from "./services/registry.ts";
import { type Declaration, SECRET } from "./services/service.ts";

export const SlackWebhookUrl = Type.String({ format: "slack-webhook-url", maxLength: 2048 });
export const DiscordWebhookUrl = Type.String({ format: "discord-webhook-url", maxLength: 2048 });
export const TeamsWebhookUrl = Type.String({ format: "teams-webhook-url", maxLength: 2048 });

export const WebhookSecret = Type.String({
  format: "webhook-secret",
  minLength: 1,
  maxLength: 512,
  description: "Signs the notifications as Standard Webhooks specify.",
});

/** A secret with this prefix is base64 after it (behavior 5.35). */
const ENCODED = "whsec_";

const TEAMS_DOMAINS = [".webhook.office.com", ".logic.azure.com", ".environment.api.powerplatform.com"];
const OUTLOOK_HOSTS = ["outlook.office.com", "outlook.office365.com"];

/** Formats in the configs of channels, by their name (behavior 5.35, 5.37, 16.141). */
export const webhookRules = {
  ...(rulesOfServices() as Record<FormatOfService, FormatRule>),
  [SECRET]: {
    must: "be 1 to 512 visible ASCII characters",
    // The mask represents a stored value, which replaces it before the config is stored.
    accepts: (text) => text === MASK || /^[\x21-\x7e]{1,512}$/.test(text),
    isSecret: true,
  },
  "webhook-secret": {
    must: "be 1 to 512 characters and, if it begins with whsec_, base64 after that",
    accepts: (text) => !text.startsWith(ENCODED) || isBase64(text.slice(ENCODED.length)),
  },
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
} satisfies Record<string, FormatRule>;

/** The names of the formats that the declaration of a service has. */
type FormatsIn<D> = D extends { rules: infer Rules } ? keyof Rules & string : never;
type FormatOfService = FormatsIn<Declarations[keyof Declarations]>;

function rulesOfServices(): Record<string, FormatRule> {
  return Object.assign({}, ...Object.values<Declaration>(declarations).map(({ rules }) => rules));
}

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

/**
 * The parsed URL is judged, because a prefix of the text does not show user info or a path with `..` (behavior 5.37).
 *
 * @returns undefined for a URL with user info, or with characters that a parser drops or replaces
 */
function parsed(text: string): URL | undefined {
  if (/[\s\\\p{Cc}]/u.test(text)) return undefined;
  const url = URL.parse(text);
  return url && url.username === "" && url.password === "" ? url : undefined;
}

/** The signing key of a secret: its UTF-8 bytes, or the decoded rest after `whsec_` (behavior 5.35). */
export function signingKey(secret: string): Uint8Array {
  return secret.startsWith(ENCODED)
    ? Uint8Array.fromBase64(secret.slice(ENCODED.length))
    : new TextEncoder().encode(secret);
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}
