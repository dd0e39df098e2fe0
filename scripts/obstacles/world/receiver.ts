import type { Socket } from "node:net";
import { answer } from "../../../test/support/servers/http-answers.ts";
import { type Notification, saidIn } from "../run/witness.ts";
import type { Change } from "../scenario.ts";

/** How a receiver answers a notification. @returns whether it keeps it */
export type Answers = (socket: Socket) => boolean;

export const ACCEPTS: Answers = (socket) => {
  socket.end(answer("204 No Content"));
  return true;
};

/**
 * Receives the notifications of a webhook channel from now on at an address of the place.
 *
 * @param answersOf the number of a connection, from 1
 */
export function receives(address: number, answersOf: (nth: number) => Answers): Change {
  return (spot) =>
    spot.serve((socket, nth) => {
      const answers = answersOf(nth);
      let read = "";
      socket.on("data", (chunk: Buffer) => {
        read += chunk.toString("latin1");
        const notification = notificationIn(read);
        if (!notification) return;
        read = "";
        const [monitor, said] = saidIn(notification.body, { id: notification.id, at: Date.now() });
        if (answers(socket)) spot.hear(monitor, said);
      });
    }, spot.address(address));
}

/** A request that has arrived whole. */
function notificationIn(text: string): { id: string; body: Notification } | undefined {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const header = (name: string) =>
    new RegExp(`^${name}: (.*)$`, "im").exec(text.slice(0, end))?.[1]?.trim() ?? "";
  const body = text.slice(end + 4);
  if (body.length < Number(header("content-length"))) return undefined;
  return { id: header("webhook-id"), body: JSON.parse(body) };
}
