import { type AlertMessage, mainLink } from "../../domain/alerts/alert-event.ts";
import { linesOf, SIGNS } from "../../domain/alerts/services/request.ts";
import type { PushPayload } from "../../domain/alerts/webhook-format.ts";
import { MAX_PLAINTEXT } from "./record.ts";

/** UTF-16 units of a title, so that there is room for the reason. */
const MAX_TITLE = 250;

/** The JSON of a message, in one record (behavior 21.54). Only the title and the text are cut, never the link. */
export function pushPayload(message: AlertMessage, tag?: string): string {
  const payload: PushPayload = {
    title: cut(`${SIGNS[message.group]} ${message.title}`, { units: MAX_TITLE, bytes: MAX_PLAINTEXT / 3 }),
    body: "",
    link: mainLink(message).url,
    ...(tag !== undefined && { tag }),
    at: message.at,
  };
  const bytes = MAX_PLAINTEXT - Buffer.byteLength(JSON.stringify(payload));
  const body = cut(linesOf(message, bytes), { units: bytes, bytes });
  return JSON.stringify({ ...payload, body });
}

/** Cuts a text to some UTF-16 units, and to some bytes as a part of a string in JSON. */
function cut(text: string, limit: { units: number; bytes: number }): string {
  const isShort = text.length <= limit.units && bytesOf(text) <= limit.bytes;
  if (isShort) return text;
  let [units, bytes] = [1, bytesOf("…")];
  let end = 0;
  for (const character of text) {
    units += character.length;
    bytes += bytesOf(character);
    if (units > limit.units || bytes > limit.bytes) break;
    end += character.length;
  }
  return `${text.slice(0, end)}…`;
}

function bytesOf(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}
