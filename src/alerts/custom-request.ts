import { type AlertEvent, isTransition, subjectOfNotice } from "../domain/alerts/alert-event.ts";
import { mainLink } from "../domain/alerts/alert-message.ts";
import { stateBegan } from "../domain/alerts/delivery.ts";
import {
  boundedValues,
  escapeInAddress,
  fillBody,
  fillTemplate,
  type PlaceholderValues,
} from "../domain/alerts/message-template.ts";
import type { Sending } from "../domain/alerts/services/service.ts";
import { iso } from "../domain/iso-time.ts";
import type { Sender } from "./webhook.ts";

/**
 * UTF-16 units of all values together, before they are escaped (behavior 16.158). With as many placeholders as a template can have,
 * there is still room for IDs and times.
 */
const LIMITS = { url: 8 * 1024, body: 64 * 1024 };

/** A request of the user's own form (behavior 16.155, 16.156). */
export const custom: Sender<"custom"> = {
  request({ url, options, headers }, sending) {
    const { method = "POST", body } = options;
    const contentType = options.contentType ?? contentTypeOf(headers) ?? "application/json";
    const values = valuesOf(sending);
    const target = fillTemplate(url, boundedValues(values, url, LIMITS.url), escapeInAddress);
    if (body === undefined) return { method, url: target, headers: {} };
    return {
      method,
      url: target,
      headers: { "content-type": contentType },
      body: fillBody(body, boundedValues(values, body, LIMITS.body), contentType),
    };
  },
};

/** A header of the channel replaces the media type, which decides how values are escaped. */
function contentTypeOf(headers: Record<string, string> = {}): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1];
}

function valuesOf({ id, event, message }: Sending): PlaceholderValues {
  return {
    ...subjectOf(event),
    link: mainLink(message).url,
    id,
    text: `${message.title}: ${message.reason}`,
  };
}

type Subject = Omit<PlaceholderValues, "link" | "id" | "text">;

const EMPTY = { "monitor.type": "", previousStatus: "", reason: "" };

function subjectOf(event: AlertEvent): Subject {
  if (!isTransition(event)) {
    // The type is such as location.silent.
    const status = event.type.split(".")[1] ?? "";
    return { ...EMPTY, "monitor.name": subjectOfNotice(event).name, status, since: iso(event.at) };
  }
  const { monitor, status, previousStatus, result } = event;
  const reason = result.detail?.reason;
  return {
    "monitor.name": monitor.name,
    "monitor.type": monitor.type,
    status,
    previousStatus,
    reason: typeof reason === "string" ? reason : "",
    since: iso(stateBegan(event)),
  };
}
