import type { ChannelType } from "../../domain/alerts/channel.ts";
import { numberOf, type Row, textOf } from "./data.ts";
import { emailsFrom } from "./email.ts";
import type { Refused, Taken } from "./fields.ts";
import { webhookFrom } from "./webhook.ts";

/** A channel for a notification. Its texts are those of Uptime Kuma: nothing is a placeholder yet. */
export interface TakenChannel {
  type: ChannelType;
  config: Record<string, unknown>;
  left: Taken["left"];
  notes: string[];
  /** Added to the name if a notification is several channels. */
  label?: string;
}

type Service = (settings: Row) => TakenChannel[] | Refused;

/** By the type of the notification in Uptime Kuma. */
export const services: Record<string, Service> = {
  slack: (settings) => chat("SLACK", settings.slackwebhookURL, leftOfChat(settings, SLACK_FIELDS)),
  discord: discordFrom,
  teams: (settings) => chat("TEAMS", settings.webhookUrl, []),
  mattermost: (settings) => slackLike(settings.mattermostWebhookUrl, leftOfChat(settings, MATTERMOST_FIELDS)),
  "rocket.chat": (settings) => slackLike(settings.rocketwebhookURL, leftOfChat(settings, ROCKET_FIELDS)),
  smtp: emailsFrom,
  webhook: webhookFrom,
  ntfy: ntfyFrom,
  gotify: (settings) =>
    service("gotify", {
      url: textOf(settings, "gotifyserverurl"),
      options: {
        token: textOf(settings, "gotifyapplicationToken"),
        ...priorityOf(settings, "gotifyPriority", [0, 10]),
      },
    }),
  telegram: telegramFrom,
  pushover: pushoverFrom,
  PagerDuty: (settings) =>
    service("pagerduty", {
      url: baseOf(
        textOf(settings, "pagerdutyIntegrationUrl") || "https://events.pagerduty.com",
        "/v2/enqueue",
      ),
      options: { routingKey: textOf(settings, "pagerdutyIntegrationKey") },
    }),
  matrix: (settings) =>
    service(
      "matrix",
      {
        url: textOf(settings, "homeserverUrl"),
        options: { token: textOf(settings, "accessToken"), roomId: textOf(settings, "internalRoomId") },
      },
      leftOfTemplate(settings.matrixUseTemplate),
    ),
  signal: signalFrom,
  GoogleChat: (settings) =>
    service(
      "googlechat",
      { url: textOf(settings, "googleChatWebhookURL") },
      leftOfTemplate(settings.googleChatUseTemplate),
    ),
};

function service(format: string, config: Record<string, unknown>, left: Taken["left"] = []): TakenChannel[] {
  return [{ type: "WEBHOOK", config: { format, ...config }, left, notes: [] }];
}

function chat(type: "SLACK" | "DISCORD" | "TEAMS", url: unknown, left: Taken["left"]): TakenChannel[] {
  const webhookUrl = String(url ?? "").trim();
  // Other servers take what Slack takes.
  if (type === "SLACK" && URL.parse(webhookUrl)?.origin !== "https://hooks.slack.com")
    return slackLike(webhookUrl, left);
  return [{ type, config: { webhookUrl }, left, notes: [] }];
}

/** A text for a server that takes the messages of Slack. */
function slackLike(url: unknown, left: Taken["left"]): TakenChannel[] {
  const options = { body: '{"text":"{{text}}"}' };
  return service("custom", { url: String(url ?? "").trim(), options }, left);
}

const SLACK_FIELDS = ["slackchannel", "slackusername", "slackiconemo"];
const MATTERMOST_FIELDS = [
  "mattermostchannel",
  "mattermostusername",
  "mattermosticonemo",
  "mattermosticonurl",
];
const ROCKET_FIELDS = ["rocketchannel", "rocketusername", "rocketiconemo"];

function leftOfChat(settings: Row, fields: string[]): Taken["left"] {
  const used = fields.filter((field) => textOf(settings, field) !== "");
  const why = "the webhook decides them";
  return used.length > 0 ? [{ part: "channel, user name and icon", why }] : [];
}

function leftOfTemplate(isUsed: unknown): Taken["left"] {
  return isUsed === true ? [{ part: "template", why: "stillup writes the message" }] : [];
}

function discordFrom(settings: Row): TakenChannel[] | Refused {
  const url = textOf(settings, "discordWebhookUrl");
  const target = textOf(settings, "discordChannelType");
  if (target === "createNewForumPost") return { why: "posts in a forum are not supported" };
  const thread = target === "postToThread" ? textOf(settings, "threadId") : "";
  const parsed = URL.parse(url);
  if (thread === "" || !parsed) return chat("DISCORD", url, []);
  parsed.searchParams.set("thread_id", thread);
  return chat("DISCORD", parsed.href, []);
}

function ntfyFrom(settings: Row): TakenChannel[] {
  const method = textOf(settings, "ntfyAuthenticationMethod");
  const token = method === "accessToken" ? textOf(settings, "ntfyaccesstoken") : "";
  const user = `${textOf(settings, "ntfyusername")}:${String(settings.ntfypassword ?? "")}`;
  return service(
    "ntfy",
    {
      url: textOf(settings, "ntfyserverurl"),
      options: {
        topic: textOf(settings, "ntfytopic"),
        ...(token !== "" && { token }),
        ...priorityOf(settings, "ntfyPriority", [1, 5]),
      },
      ...(method === "usernamePassword" && { headers: { Authorization: `Basic ${base64(user)}` } }),
    },
    leftOfTemplate(settings.ntfyUseTemplate),
  );
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text.slice(0, 10_000))));
}

function telegramFrom(settings: Row): TakenChannel[] {
  const threadId = numberOf(settings, "telegramMessageThreadID");
  return service(
    "telegram",
    {
      url: textOf(settings, "telegramServerUrl") || "https://api.telegram.org",
      options: {
        token: textOf(settings, "telegramBotToken"),
        chatId: textOf(settings, "telegramChatID"),
        ...(threadId !== undefined && { threadId }),
      },
    },
    leftOfTemplate(settings.telegramUseTemplate),
  );
}

/** A channel has the users, or one group. */
function signalFrom(settings: Row): TakenChannel[] {
  const recipients = textOf(settings, "signalRecipients").replaceAll(/\s/g, "").split(",").filter(Boolean);
  const users = recipients.filter((one) => !one.startsWith("group."));
  const groups = recipients.filter((one) => one.startsWith("group.")).map((group) => [group]);
  const lists = users.length > 0 || groups.length === 0 ? [users, ...groups] : groups;
  return lists.flatMap((list, at) =>
    service(
      "signal",
      {
        url: baseOf(textOf(settings, "signalURL"), "/v2/send"),
        options: { number: textOf(settings, "signalNumber"), recipients: list },
      },
      at === 0 ? leftOfTemplate(settings.signalUseTemplate) : [],
    ).map((channel) => ({ ...channel, label: list[0] ?? "" })),
  );
}

function pushoverFrom(settings: Row): TakenChannel[] {
  const device = textOf(settings, "pushoverdevice");
  const isEmergency = numberOf(settings, "pushoverpriority") === 2;
  const left = { part: "priority", why: "it is 2, and the highest here is 1" };
  return service(
    "pushover",
    {
      url: "https://api.pushover.net",
      options: {
        token: textOf(settings, "pushoverapptoken"),
        user: textOf(settings, "pushoveruserkey"),
        ...(device !== "" && { device }),
        ...(isEmergency ? { priority: 1 } : priorityOf(settings, "pushoverpriority", [-2, 1])),
      },
    },
    isEmergency ? [left] : [],
  );
}

function priorityOf(settings: Row, field: string, [least, most]: [number, number]): { priority?: number } {
  const priority = numberOf(settings, field);
  return priority !== undefined && priority >= least && priority <= most
    ? { priority: Math.round(priority) }
    : {};
}

/** The address of the service without the path that its format adds. */
function baseOf(url: string, path: string): string {
  return url.replace(/\/+$/, "").endsWith(path) ? url.replace(/\/+$/, "").slice(0, -path.length) : url;
}
