import { json, type ServiceExample } from "../service-call.ts";

const error = (status: number, code: string, more: object = {}) =>
  json(status, { result: "error", msg: "words of the server", code, ...more });

const failures = {
  token: error(401, "UNAUTHORIZED"),
  stream: error(400, "STREAM_DOES_NOT_EXIST", { stream: "xSECRETx" }),
  invalid: error(400, "BAD_REQUEST"),
  rateLimit: error(429, "RATE_LIMIT_HIT", { "retry-after": 28.7 }),
  fault: () => new Response("<html>Bad Gateway</html>", { status: 502 }),
  otherWord: error(400, "xSECRETx"),
};

const url = "https://chat.example.com";
const options = { email: "bot@example.com", token: "good", stream: "alerts" };

/** A server with the bot `bot@example.com`, whose API key is `good`, and the channel `alerts`. */
export const example: ServiceExample = {
  service: {
    answer({ method, path, headers, body }) {
      if (method !== "POST" || path !== "/zulip/api/v1/messages") return error(404, "BAD_REQUEST")();
      if (headers.authorization !== `Basic ${btoa("bot@example.com:good")}`) return failures.token();
      if (headers["content-type"] !== "application/x-www-form-urlencoded" || body.type !== "stream")
        return failures.invalid();
      if (body.to !== "alerts") return failures.stream();
      const isWhole = body.topic.length >= 1 && body.topic.length <= 60 && body.content.length <= 10_000;
      if (!isWhole) return failures.invalid();
      // A mention, a link to a channel, or a fence of code, which the server would read.
      if (/@[*_]|#\*\*|```|\$\$/.test(body.content)) throw new Error("the text of a user is markup");
      return Response.json({ result: "success", msg: "", id: 42 });
    },
    failures,
  },
  config: (server) => ({ url: `${server}/zulip/`, format: "zulip", options }),
  stored: { url, format: "zulip", options: { ...options, token: "•••", topic: "stillup" } },
  secrets: ["token"],
  refused: [
    [{ url, format: "zulip" }, "config.options is required"],
    [
      { url, format: "zulip", options: { ...options, email: "bot" } },
      "config.options.email must be one e-mail address",
    ],
    [
      { url, format: "zulip", options: { ...options, topic: "x".repeat(61) } },
      "config.options.topic must be",
    ],
    [
      { url, format: "zulip", options, headers: { Authorization: "Basic eA==" } },
      "config.headers.Authorization must be left out: the format zulip sends this header itself",
    ],
  ],
  failures: {
    token: [true, "401 UNAUTHORIZED"],
    stream: [true, "400 STREAM_DOES_NOT_EXIST"],
    invalid: [true, "400 BAD_REQUEST"],
    rateLimit: [false, "429 RATE_LIMIT_HIT", 28_700],
    fault: [false, "502"],
    otherWord: [true, "400"],
  },
  sent: {
    type: "stream",
    to: "alerts",
    topic: "Shop front",
    content: [
      "🔴 **Shop front is down**",
      "The connection was refused by 192.0.2.7.",
      "Status: Up → Down",
      "Since: 2026-11-21 14:30:05 UTC",
      "Before: Up for 3 d 3 h",
      "Last good latency: 42 ms",
      "Type: Website",
      "[Open the outage](https://up.example.com/outages/a1)",
    ].join("\n"),
  },
  imports: {
    gatus: [
      "zulip: {bot-email: bot@example.com, bot-api-key: good, domain: chat.example.com, channel-id: '12'}",
      { url, format: "zulip", options: { email: "bot@example.com", token: "good", stream: "12" } },
    ],
    healthchecks: [
      "zulip",
      {
        url: "${ZULIP_OPS_URL}",
        format: "zulip",
        options: {
          email: "${ZULIP_OPS_EMAIL}",
          token: "${ZULIP_OPS_TOKEN}",
          stream: "${ZULIP_OPS_STREAM}",
        },
      },
    ],
  },
};
