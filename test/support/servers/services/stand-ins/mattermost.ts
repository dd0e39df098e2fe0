import { json, type ServiceExample } from "../service-call.ts";

const error = (status: number, name: string) =>
  json(status, {
    id: `web.incoming_webhook.${name}.app_error`,
    message: "of hook xSECRETx",
    status_code: status,
  });

const failures = {
  webhook: error(400, "invalid"),
  channel: error(404, "channel"),
  locked: error(403, "channel_locked"),
  disabled: error(501, "disabled"),
  rateLimit: () =>
    new Response("limit exceeded", {
      status: 429,
      headers: { "retry-after": "7", "x-ratelimit-reset": "60" },
    }),
  newer: error(404, "general"),
  fault: () => new Response("down", { status: 500 }),
  otherWord: error(400, "xSECRETx"),
};

const url = "https://chat.example.com/hooks/good";

/** A server with one channel, `town-square`, to which every webhook may post. */
const OWN_LINK = /\[[^\]]*\]\(https:\/\/up\.example\.com[^)]*\)/g;

export const example: ServiceExample = {
  service: {
    answer({ method, path, body }) {
      if (method !== "POST" || !path.startsWith("/hooks/")) return failures.webhook();
      if (body.channel !== undefined && body.channel !== "town-square") return failures.channel();
      const [attachment] = body.attachments;
      if (JSON.stringify(body).length > 7600 || !attachment.title) return error(400, "parse")();
      // A mention, a link, an image or a fence of code, which the server would read.
      const texts = JSON.stringify(attachment).replaceAll(OWN_LINK, "");
      if (/@\w|!\[|\]\(|<!|```/.test(texts)) throw new Error("the text of a user is markup");
      return new Response("ok");
    },
    failures,
  },
  config: (server) => ({ url: `${server}/hooks/good`, format: "mattermost" }),
  stored: { url, format: "mattermost", options: { channel: "town-square", username: "stillup" } },
  secrets: [],
  refused: [
    [{ url, format: "mattermost", options: { channel: "" } }, "config.options.channel must be"],
    [{ url, format: "mattermost", options: { icon: "x" } }, "config.options.icon is not a known field"],
  ],
  failures: {
    webhook: [true, "400 invalid_webhook"],
    channel: [true, "404 channel_not_found"],
    locked: [true, "403 channel_locked"],
    disabled: [false, "501 webhooks_disabled"],
    rateLimit: [false, "429", 7000],
    newer: [true, "404"],
    fault: [false, "500"],
    otherWord: [true, "400"],
  },
  sent: {
    attachments: [
      {
        fallback: "Shop front is down: The connection was refused by 192.0.2.7.",
        color: "#c02a25",
        title: "Shop front is down",
        title_link: "https://up.example.com/outages/a1",
        text: "The connection was refused by 192.0.2.7.",
        fields: [
          { title: "Status", value: "Up → Down", short: true },
          { title: "Since", value: "2026-11-21 14:30:05 UTC", short: true },
          { title: "Before", value: "Up for 3 d 3 h", short: true },
          { title: "Last good latency", value: "42 ms", short: true },
          { title: "Type", value: "Website", short: true },
        ],
      },
    ],
  },
  imports: {
    kuma: [
      {
        type: "mattermost",
        mattermostWebhookUrl: url,
        mattermostchannel: "town-square",
        mattermostusername: "Kuma",
      },
      { format: "mattermost", url, options: { channel: "town-square", username: "Kuma" } },
    ],
    gatus: [
      `mattermost: {webhook-url: "${url}", channel: town-square}`,
      { url, format: "mattermost", options: { channel: "town-square" } },
    ],
    healthchecks: ["mattermost", { url: "${MATTERMOST_OPS_URL}", format: "mattermost" }],
  },
};
