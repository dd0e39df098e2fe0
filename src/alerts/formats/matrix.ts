import { truncate } from "../../domain/truncate.ts";
import { type AlertMessage, mainLink } from "../alert-message.ts";
import { describeNotification } from "../message.ts";
import type { FailureAnswer, Format } from "./format.ts";
import { linesOf } from "./plain-text.ts";
import { jsonRequest, segment, serviceUrl } from "./service-request.ts";

/** UTF-16 units. An event has at most 64 KiB, both bodies together. */
const LIMITS = { title: 250, text: 3000, markup: 6000 };

/**
 * The transaction is the delivery, so that a repetition is no second message (behavior 16.152).
 * https://spec.matrix.org/latest/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid
 */
export const matrix: Format<"matrix"> = {
  request({ url, options: { token, roomId } }, notification, baseUrl) {
    const message = describeNotification(notification, baseUrl);
    const path = `/_matrix/client/v3/rooms/${segment(roomId)}/send/m.room.message/${segment(notification.id)}`;
    const content = {
      msgtype: "m.text",
      body: bodyOf(message),
      format: "org.matrix.custom.html",
      formatted_body: markupOf(message),
      // Disables mentions, even if a name contains one.
      "m.mentions": {},
    };
    return jsonRequest(serviceUrl(url, path), content, {
      method: "PUT",
      headers: { authorization: `Bearer ${token}` },
    });
  },
  failures: { explain: (answer) => ({ word: wordOf(answer), retryAfterMs: retryAfter(answer) }) },
};

/** https://spec.matrix.org/latest/client-server-api/#standard-error-response */
const WORDS = new Set([
  "M_FORBIDDEN",
  "M_UNKNOWN_TOKEN",
  "M_MISSING_TOKEN",
  "M_USER_DEACTIVATED",
  "M_USER_LOCKED",
  "M_USER_SUSPENDED",
  "M_NOT_FOUND",
  "M_UNRECOGNIZED",
  "M_TOO_LARGE",
  "M_LIMIT_EXCEEDED",
  "M_RESOURCE_LIMIT_EXCEEDED",
  "M_BAD_JSON",
  "M_INVALID_PARAM",
  "M_UNKNOWN",
]);

function wordOf({ body: { errcode } }: FailureAnswer): string | undefined {
  return typeof errcode === "string" && WORDS.has(errcode) ? errcode : undefined;
}

/** The field of older servers; newer ones also send `Retry-After`. */
function retryAfter({ body: { retry_after_ms: delay } }: FailureAnswer): number | undefined {
  return typeof delay === "number" && delay > 0 ? Math.ceil(delay) : undefined;
}

function bodyOf(message: AlertMessage): string {
  const { url } = mainLink(message);
  return [truncate(message.title, LIMITS.title), linesOf(message, LIMITS.text), url].join("\n");
}

function markupOf(message: AlertMessage): string {
  const { url, label } = mainLink(message);
  const title = truncate(message.title, LIMITS.title, Bun.escapeHTML);
  const lines = linesOf(message, LIMITS.markup, Bun.escapeHTML).split("\n");
  return [`<strong>${title}</strong>`, ...lines, `<a href="${Bun.escapeHTML(url)}">${label}</a>`].join(
    "<br>",
  );
}
