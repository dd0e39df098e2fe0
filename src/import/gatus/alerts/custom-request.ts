import { isPlainHeader } from "../../output-config.ts";
import { recordOf, textOf } from "../../untyped.ts";
import type { ChannelDraft, Provider } from "./providers.ts";

/** By the placeholder of Gatus. */
const PLACEHOLDERS: Record<string, string> = {
  "[ENDPOINT_NAME]": "{{monitor.name}}",
  "[ALERT_TRIGGERED_OR_RESOLVED]": "{{status}}",
  "[ALERT_DESCRIPTION]": "{{text}}",
  "[RESULT_ERRORS]": "{{reason}}",
  "[RESULT_CONDITIONS]": "{{reason}}",
  "[ENDPOINT_URL]": "{{link}}",
  "[ENDPOINT_GROUP]": "",
};

/** Placeholders whose value here differs from the value in Gatus. */
const DIFFERENT: Record<string, string> = {
  "[ALERT_TRIGGERED_OR_RESOLVED]": "its value is the status, such as Down, not TRIGGERED or RESOLVED",
  "[ALERT_DESCRIPTION]": "it is the text of the notification",
  "[ENDPOINT_URL]": "it is the link to the outage",
  "[ENDPOINT_GROUP]": "a channel does not know the group: it is empty",
};

const METHODS = ["POST", "PUT", "GET"];

/** The provider `custom`: a request with placeholders. */
export function customRequest(provider: Provider): ChannelDraft[] {
  const url = provider.text("url");
  if (url === undefined) return [];
  const method = (provider.text("method") ?? "GET").toUpperCase();
  if (!METHODS.includes(method)) {
    provider.omit("method", `a channel sends POST, PUT or GET, not ${method}`);
    return [];
  }
  if (provider.settings.placeholders !== undefined)
    provider.omit("placeholders", "a channel has no values of its own for placeholders");
  const config = {
    url: addressOf(url, provider),
    format: "custom",
    ...headersField(provider),
    options: { ...(method !== "POST" && { method }), ...bodyFields(method, provider) },
  };
  return [{ type: "WEBHOOK", config }];
}

/** An address is a secret, but not a template. */
function addressOf(url: string, provider: Provider): string {
  const template = translated(url, provider);
  return template === url ? provider.write(url, "url") : template;
}

function translated(text: string, { omit }: Provider): string {
  let result = text;
  for (const [theirs, ours] of Object.entries(PLACEHOLDERS)) {
    if (!result.includes(theirs)) continue;
    const why = DIFFERENT[theirs];
    if (why) omit(theirs, why);
    result = result.replaceAll(theirs, ours);
  }
  return result;
}

function headersField({ settings, write }: Provider): Record<string, unknown> {
  const headers = Object.entries(recordOf(settings.headers)).map(([name, value]) => {
    const text = textOf(value) ?? "";
    return [name, isPlainHeader(name) ? text : write(text, name)];
  });
  return headers.length > 0 ? { headers: Object.fromEntries(headers) } : {};
}

function bodyFields(method: string, provider: Provider): Record<string, unknown> {
  const body = translated(provider.text("body") ?? "", provider);
  if (method === "GET") {
    if (body !== "") provider.omit("body", "a channel sends no body with GET");
    return {};
  }
  const hasType = Object.keys(recordOf(provider.settings.headers)).some(
    (name) => name.toLowerCase() === "content-type",
  );
  const isJson = /^\s*(\[|\{(?!\{))/.test(body);
  return { body: body || "{{text}}", ...(!hasType && !isJson && { contentType: "text/plain" }) };
}
