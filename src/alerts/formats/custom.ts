import { type AlertEvent, isTransition, subjectOfNotice } from "../../domain/alerts/alert-event.ts";
import {
  boundedValues,
  escapeInAddress,
  fillBody,
  fillTemplate,
  type PlaceholderValues,
} from "../../domain/alerts/message-template.ts";
import { iso } from "../../domain/iso-time.ts";
import { mainLink, type Notification } from "../alert-message.ts";
import { describeEvent } from "../message.ts";
import { stateBegan } from "../transition-message.ts";
import type { Format } from "./format.ts";

/**
 * UTF-16 units of all values together, before they are escaped (behavior 16.158). With as many placeholders as a template can have,
 * there is still room for IDs and times.
 */
const LIMITS = { url: 8 * 1024, body: 64 * 1024 };

/** A request of the user's own form (behavior 16.155, 16.156). */
export const custom: Format<"custom"> = {
  request({ url, options, headers }, notification, baseUrl) {
    const { method = "POST", body } = options;
    const contentType = options.contentType ?? contentTypeOf(headers) ?? "application/json";
    const values = valuesOf(notification, baseUrl);
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

function valuesOf({ id, event, now }: Notification, baseUrl: string): PlaceholderValues {
  const message = describeEvent(event, baseUrl, { now });
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
