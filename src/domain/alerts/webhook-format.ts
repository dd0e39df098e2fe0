import { type Static, type TObject, Type } from "@sinclair/typebox";
import { HttpUrl } from "../schemas/format.ts";
import { RequestHeaders } from "../schemas/request-headers.ts";
import { closed, described, named, oneOf } from "../schemas/schema.ts";
import { WebhookSecret, webhookRules } from "./webhook-rules.ts";

/** The formats of WEBHOOK channels (behavior 16.140). A channel without a format is `standard`. */
export const WEBHOOK_FORMATS = [
  "standard",
  "ntfy",
  "gotify",
  "telegram",
  "pushover",
  "pagerduty",
  "matrix",
  "googlechat",
  "signal",
  "alertmanager",
  "webpush",
  "custom",
] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** The format of the schema of most options that are secrets (behavior 16.142). */
const SECRET = "option-secret";

function secret(description: string) {
  return Type.String({
    format: SECRET,
    maxLength: 512,
    description: `${description} A response shows \`•••\`.`,
  });
}

function priority(minimum: number, maximum: number, description: string) {
  return Type.Optional(Type.Integer({ minimum, maximum, description }));
}

/** The `options` of each format (behavior 16.141). */
export const formatOptions = {
  ntfy: Type.Object(
    {
      topic: Type.String({ format: "ntfy-topic", maxLength: 64, examples: ["alerts"] }),
      token: Type.Optional(secret("An access token of the user that publishes.")),
      priority: priority(1, 5, "Of every message. Default: 4 if a monitor is down, else 3."),
    },
    named("NtfyOptions"),
  ),
  gotify: Type.Object(
    {
      token: secret("The token of an application."),
      priority: priority(
        0,
        10,
        "Of every message. Default: 8 if a monitor is down, 5 for a warning, else 3.",
      ),
    },
    named("GotifyOptions"),
  ),
  telegram: Type.Object(
    {
      token: secret("The token of the bot."),
      chatId: Type.String({ format: "telegram-chat", maxLength: 64, examples: ["-1001234567890"] }),
      threadId: Type.Optional(
        Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: "The topic of a forum." }),
      ),
    },
    named("TelegramOptions"),
  ),
  pushover: Type.Object(
    {
      token: secret("The API token of the application."),
      user: secret("The key of the user or of the group."),
      device: Type.Optional(
        Type.String({
          format: "pushover-device",
          maxLength: 250,
          description: "The name of the device, or names that commas separate. Default: all.",
        }),
      ),
      priority: priority(-2, 1, "Of every message. Default: 1 if a monitor is down, else 0."),
    },
    named("PushoverOptions"),
  ),
  pagerduty: Type.Object(
    { routingKey: secret("The integration key of the service (Events API v2).") },
    named("PagerdutyOptions"),
  ),
  matrix: Type.Object(
    {
      token: secret("The access token of the user that sends."),
      roomId: Type.String({ format: "matrix-room", maxLength: 255, examples: ["!AbCdEf:example.org"] }),
    },
    named("MatrixOptions"),
  ),
  googlechat: Type.Object({}, closed),
  signal: Type.Object(
    {
      number: Type.String({
        format: "phone-number",
        maxLength: 20,
        description: "The registered number that sends.",
        examples: ["+4915112345678"],
      }),
      recipients: Type.Array(Type.String({ format: "signal-recipient", maxLength: 200 }), {
        minItems: 1,
        maxItems: 50,
        description: "Numbers, user names, or IDs of groups such as `group.…`.",
      }),
    },
    named("SignalOptions"),
  ),
  alertmanager: Type.Object({}, closed),
  webpush: Type.Object(
    {
      p256dh: Type.String({
        format: "push-point",
        maxLength: 87,
        description: "The public key of the subscription, as the browser gives it.",
      }),
      auth: Type.String({
        format: "push-auth",
        maxLength: 22,
        description: "The secret of the subscription, as the browser gives it. A response shows `•••`.",
      }),
    },
    named("WebpushOptions"),
  ),
  custom: Type.Object(
    {
      method: Type.Optional(described(oneOf(["POST", "PUT", "GET"]), "Default: `POST`.")),
      contentType: Type.Optional(
        Type.String({ format: "media-type", maxLength: 200, description: "Default: `application/json`." }),
      ),
      body: Type.Optional(
        Type.String({
          format: "message-template",
          description:
            "Up to 16 KiB, with placeholders such as `{{monitor.name}}`. Required except with `GET`.",
        }),
      ),
    },
    named("CustomOptions"),
  ),
} satisfies Record<Exclude<WebhookFormat, "standard">, TObject>;

/** The formats whose options may all be left out. */
type Optionless = "googlechat" | "alertmanager";

const shared = { headers: Type.Optional(RequestHeaders) };

/** For example `NtfyWebhookConfig`. */
function configName(format: WebhookFormat): string {
  return `${format.charAt(0).toUpperCase()}${format.slice(1)}WebhookConfig`;
}

function withOptions<F extends Exclude<WebhookFormat, "standard" | Optionless>>(format: F) {
  const options: (typeof formatOptions)[F] = formatOptions[format];
  return Type.Object(
    { url: HttpUrl, format: Type.Literal(format), options, ...shared },
    named(configName(format)),
  );
}

function withoutOptions<F extends Optionless>(format: F) {
  const options = Type.Optional(formatOptions[format]);
  return Type.Object(
    { url: HttpUrl, format: Type.Literal(format), options, ...shared },
    named(configName(format)),
  );
}

/** The `config` of a WEBHOOK channel, by its format (behavior 7.52, 16.140). */
export const webhookConfigs = {
  standard: Type.Object(
    {
      url: HttpUrl,
      format: Type.Optional(Type.Literal("standard")),
      secret: Type.Optional(WebhookSecret),
      ...shared,
    },
    named("WebhookConfig"),
  ),
  ntfy: withOptions("ntfy"),
  gotify: withOptions("gotify"),
  telegram: withOptions("telegram"),
  pushover: withOptions("pushover"),
  pagerduty: withOptions("pagerduty"),
  matrix: withOptions("matrix"),
  googlechat: withoutOptions("googlechat"),
  signal: withOptions("signal"),
  alertmanager: withoutOptions("alertmanager"),
  webpush: withOptions("webpush"),
  custom: withOptions("custom"),
} satisfies Record<WebhookFormat, TObject>;

export type WebhookConfig<F extends WebhookFormat = WebhookFormat> = {
  [One in F]: Static<(typeof webhookConfigs)[One]>;
}[F];

/** The format of a config. A config without a format, or with an unknown format, counts as `standard`. */
export function formatOf(config: unknown): WebhookFormat {
  const { format } = (config ?? {}) as { format?: unknown };
  return WEBHOOK_FORMATS.find((known) => known === format) ?? "standard";
}

/** The names of the options that are secrets (behavior 16.142). */
export function secretOptions(format: WebhookFormat): string[] {
  if (format === "standard") return [];
  const { properties } = formatOptions[format] as TObject;
  return Object.keys(properties).filter((name) => webhookRules[properties[name]?.format]?.isSecret);
}
