import { invalid } from "../../errors.ts";
import { assertRequestHeaders } from "../monitors/header-rules.ts";
import { fieldOf } from "../schemas/field-name.ts";
import { parseTemplate } from "./message-template.ts";
import { formatOf, type WebhookConfig, type WebhookFormat } from "./webhook-format.ts";

/* Rules of the config of a WEBHOOK channel that a schema cannot express. */

/** Headers that a format sends itself (behavior 16.143), in lower case. */
const ownHeaders: Partial<Record<WebhookFormat, readonly string[]>> = {
  standard: ["webhook-id", "webhook-timestamp", "webhook-signature"],
  gotify: ["x-gotify-key"],
  matrix: ["authorization"],
  webpush: ["authorization", "content-encoding"],
};

/**
 * Refuses a field that goes with other formats only, before the schema of the format reports it as unknown (behavior 16.140).
 * The config is not validated yet.
 */
export function assertFieldsOfFormat(config: unknown): void {
  const given = (config ?? {}) as { format?: unknown; secret?: unknown; options?: unknown };
  const format = formatOf(config);
  // An unknown format has its own error.
  if (given.format !== undefined && given.format !== format) return;
  if (format === "standard" && given.options !== undefined)
    throw invalid("config.options must be left out with the format standard");
  if (format !== "standard" && given.secret !== undefined)
    throw invalid(`config.secret must be left out with the format ${format}: only standard signs messages`);
}

/** Behavior 16.143, 16.144, 16.155. */
export function assertWebhookConfig(config: WebhookConfig): void {
  assertHeaders(config);
  if (config.format === "custom") assertCustom(config);
  if (config.format === "signal") assertRecipients(config);
}

function assertHeaders(config: WebhookConfig): void {
  const { headers = {} } = config;
  assertRequestHeaders(headers, "config.headers");
  const format = formatOf(config);
  const given = new Map(Object.keys(headers).map((name) => [name.toLowerCase(), name]));
  const trailer = given.get("trailer");
  if (trailer !== undefined)
    throw invalid(`${fieldOf("config.headers", trailer)} must be left out: a message has no trailers`);
  for (const own of ownHeaders[format] ?? []) {
    const name = given.get(own);
    if (name !== undefined)
      throw invalid(
        `${fieldOf("config.headers", name)} must be left out: the format ${format} sends this header itself`,
      );
  }
  if (config.format === "ntfy" && config.options.token !== undefined && given.has("authorization"))
    throw invalid("config.options.token must be left out if config.headers has Authorization");
  if (config.format === "custom" && config.options.contentType !== undefined && given.has("content-type"))
    throw invalid("config.options.contentType must be left out if config.headers has Content-Type");
}

function assertCustom({ url, options }: WebhookConfig<"custom">): void {
  const { method = "POST", body } = options;
  if (method === "GET" && body !== undefined) throw invalid("config.options.body must be left out with GET");
  if (method !== "GET" && body === undefined) throw invalid(`config.options.body is required with ${method}`);
  parseTemplate(url, "config.url");
  if (body !== undefined) parseTemplate(body, "config.options.body");
  // A name of a monitor must not choose the receiver.
  if (/[{}]/.test(new URL(url).host)) throw invalid("config.url must have its placeholders after the host");
}

/** The server of Signal takes one group or several users (behavior 16.144). */
function assertRecipients({ options: { recipients } }: WebhookConfig<"signal">): void {
  if (recipients.length > 1 && recipients.some((one) => one.startsWith("group.")))
    throw invalid("config.options.recipients must be one group, or users without a group");
}
