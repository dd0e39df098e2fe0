import { isRow, jsonOf, type OmittedPart, type Refused, type Row, textIn } from "./fields.ts";
import type { MappedChannel } from "./services.ts";

/** Type `webhook`. */
export function webhookFrom(settings: Row): MappedChannel[] | Refused {
  const url = textIn(settings, "webhookURL");
  const given = headersOf(settings);
  if ("why" in given) return given;
  const { contentType, headers } = given;
  const shared = Object.keys(headers).length > 0 ? { headers } : {};
  if (textIn(settings, "httpMethod").toLowerCase() === "get") {
    const config = { format: "custom", url: withText(url), options: { method: "GET" }, ...shared };
    return [webhook(config, [])];
  }
  const type = textIn(settings, "webhookContentType");
  if (type === "form-data") return { why: "the form is not supported: it sends JSON in a field of a form" };
  if (type !== "custom") {
    const why = "it is that of stillup, which has other fields";
    return [webhook({ url, ...shared }, [{ part: "body", why }])];
  }
  const body = templateFrom(String(settings.webhookCustomBody ?? ""));
  if (body === undefined) return { why: "its template is more than the name, the status and the message" };
  const options = { ...(contentType !== undefined && { contentType }), body };
  return [webhook({ format: "custom", url: literalTemplate(url), options, ...shared }, [])];
}

function webhook(config: Record<string, unknown>, omitted: OmittedPart[]): MappedChannel {
  return { type: "WEBHOOK", config, omitted, notes: [] };
}

/** The content type is an option of the format, and the other headers are headers. */
function headersOf(settings: Row): { contentType?: string; headers: Record<string, string> } | Refused {
  if (textIn(settings, "webhookAdditionalHeaders") === "") return { headers: {} };
  const given = jsonOf(settings, "webhookAdditionalHeaders");
  if (!isRow(given)) return { why: "its headers are no JSON object" };
  const all = Object.entries(given).map(([name, value]) => [name, String(value)] as const);
  const isType = ([name]: readonly [string, string]) => name.toLowerCase() === "content-type";
  const contentType = all.find(isType)?.[1];
  return {
    ...(contentType !== undefined && { contentType }),
    headers: Object.fromEntries(all.filter((header) => !isType(header))),
  };
}

/** A GET request has the message in its query. */
function withText(url: string): string {
  const [address = "", hash = ""] = literalTemplate(url).split("#");
  return `${address}${address.includes("?") ? "&" : "?"}msg={{text}}${hash && `#${hash}`}`;
}

/** A text that has no placeholder of a message. */
function literalTemplate(url: string): string {
  return url.replaceAll("{{", "%7B%7B");
}

/** By the content of `{{ … }}` in Uptime Kuma: the placeholder for it. */
const PLACEHOLDERS: Record<string, string> = {
  msg: "text",
  name: "monitor.name",
  NAME: "monitor.name",
  "monitorJSON['name']": "monitor.name",
  'monitorJSON["name"]': "monitor.name",
  "monitorJSON.name": "monitor.name",
  "monitorJSON['type']": "monitor.type",
  'monitorJSON["type"]': "monitor.type",
  "monitorJSON.type": "monitor.type",
  status: "status",
  STATUS: "status",
  "heartbeatJSON['msg']": "reason",
  'heartbeatJSON["msg"]': "reason",
  "heartbeatJSON.msg": "reason",
};

/** @returns undefined if the template has a tag, a filter or a value that has no placeholder */
function templateFrom(template: string): string | undefined {
  let isKnown = !/\{%/.test(template) && template !== "";
  const body = template.replaceAll(/\{\{-?([^{}]*)-?\}\}/g, (_, inner: string) => {
    const name = inner.replace(/^-|-$/g, "").trim();
    const placeholder = Object.hasOwn(PLACEHOLDERS, name) ? PLACEHOLDERS[name] : undefined;
    isKnown &&= placeholder !== undefined;
    return `{{${placeholder}}}`;
  });
  return isKnown ? body : undefined;
}
