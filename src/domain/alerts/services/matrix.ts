import { Type } from "@sinclair/typebox";
import { truncate } from "../../truncate.ts";
import { type AlertMessage, shortLinks } from "../alert-event.ts";
import { escapeHtml, jsonRequest, linesOf, plainLinks, segment, serviceUrl } from "./request.ts";
import {
  type Declaration,
  type Delivery,
  type FailureAnswer,
  type ImportNames,
  secretOption,
} from "./service.ts";

export const declaration = {
  label: "Matrix",
  since: 6,
  readBy: "people",
  // A network.
  icon: "M12 8.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM6 20a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM18 20a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM10.8 8.2l-3.6 7M13.2 8.2l3.6 7M8.5 17.5h7",
  url: { example: "https://matrix.example.com" },
  options: {
    token: secretOption("The access token of the user that sends."),
    roomId: {
      example: "!abcdefghijkl:example.com",
      schema: Type.String({ format: "matrix-room", maxLength: 255, examples: ["!AbCdEf:example.org"] }),
    },
  },
  ownHeaders: ["authorization"],
  rules: {
    "matrix-room": {
      must: "be the ID of a room, which begins with !, such as !AbCdEf:example.org",
      accepts: (text) => /^![\x21-\x7e]+$/.test(text),
    },
  },
} satisfies Declaration;

export const importNames: ImportNames = {
  kuma: {
    type: "matrix",
    url: "homeserverUrl",
    options: { token: "accessToken", roomId: "internalRoomId" },
    template: "matrixUseTemplate",
  },
  gatus: {
    type: "matrix",
    url: "server-url",
    usual: "https://matrix-client.matrix.org",
    options: { token: "access-token", roomId: "internal-room-id" },
  },
  healthchecks: "matrix",
};

/** UTF-16 units. An event has at most 64 KiB, both bodies together. */
const LIMITS = { title: 250, text: 3000, markup: 6000 };

/**
 * The transaction is the delivery, so that a repetition is no second message (behavior 16.152).
 * https://spec.matrix.org/latest/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid
 */
export const delivery: Delivery<typeof declaration> = {
  request({ url, options: { token, roomId } }, { id, message }) {
    const path = `/_matrix/client/v3/rooms/${segment(roomId)}/send/m.room.message/${segment(id)}`;
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
  return [truncate(message.title, LIMITS.title), linesOf(message, LIMITS.text), ...plainLinks(message)].join(
    "\n",
  );
}

function markupOf(message: AlertMessage): string {
  const links = shortLinks(message).map(
    ({ url, label }) => `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`,
  );
  const title = truncate(message.title, LIMITS.title, escapeHtml);
  const lines = linesOf(message, LIMITS.markup, escapeHtml).split("\n");
  return [`<strong>${title}</strong>`, ...lines, links.join(" · ")].join("<br>");
}
