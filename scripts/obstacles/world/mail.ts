import type { Socket } from "node:net";
import { mailParts } from "../../../test/support/servers/mail-parts.ts";
import type { Said } from "../judge/run.ts";
import type { Change } from "../scenario.ts";
import type { Handler } from "./spot.ts";

/** An act of a server at a point of a connection. */
type Act = (socket: Socket) => unknown;

/** Acts of a mail server at some points instead of the usual ones. */
export interface MailFaults {
  greeting?: Act;
  hello?: Act;
  recipient?: Act;
  data?: Act;
  /** When the first part of a message has arrived. */
  message?: Act;
  /** When all of a message has arrived. */
  end?: Act;
  /** Whether it keeps the message although it does not say so in `end`. */
  isKept?: true;
}

/** @returns what is replied, at once */
export const replies =
  (...lines: string[]): Act =>
  (socket) =>
    socket.write(lines.map((line) => `${line}\r\n`).join(""));

const GREETS = replies("220 mail.test ESMTP");
const AGREES = replies("250 2.0.0 fine");

/**
 * Receives the mails for the monitors from now on at an address of the place (RFC 5321, without TLS).
 *
 * @param faultsOf the number of a connection, from 1
 */
export function receivesMail(address: number, faultsOf: (nth: number) => MailFaults): Change {
  return (spot) => {
    const answered = new Set<string>();
    const receive = (source: string, isAnswered: boolean) => {
      const [monitor, said] = saidIn(source, Date.now());
      // A message that was accepted may not come again.
      spot.hear(monitor, answered.has(said.id) ? { ...said, id: `${said.id} again` } : said);
      if (isAnswered) answered.add(said.id);
    };
    return spot.serve(mailServer(faultsOf, receive), spot.address(address));
  };
}

function mailServer(
  faultsOf: (nth: number) => MailFaults,
  receive: (source: string, isAnswered: boolean) => void,
): Handler {
  return (socket, nth) => {
    const faults = faultsOf(nth);
    const commands: Record<string, Act> = {
      EHLO: faults.hello ?? replies("250 mail.test"),
      RCPT: faults.recipient ?? AGREES,
      DATA: faults.data ?? replies("354 go on"),
      QUIT: (to) => to.end("221 2.0.0 bye\r\n"),
    };
    let read = "";
    let isMessage = false;
    const take = (end: string): string | undefined => {
      const at = read.indexOf(end);
      if (at < 0) return undefined;
      const part = read.slice(0, at);
      read = read.slice(at + end.length);
      return part;
    };
    const command = (line: string) => {
      const verb = line.slice(0, 4).toUpperCase();
      isMessage = verb === "DATA" && !faults.data;
      (commands[verb] ?? AGREES)(socket);
    };
    const message = (source: string) => {
      isMessage = false;
      if (!faults.end || faults.isKept) receive(source, !faults.end);
      (faults.end ?? AGREES)(socket);
    };
    socket.on("data", (chunk: Buffer) => {
      read += chunk;
      if (isMessage && faults.message) faults.message(socket);
      else if (isMessage) {
        const source = take("\r\n.\r\n");
        if (source !== undefined) message(source);
      } else {
        const line = take("\r\n");
        if (line !== undefined) command(line);
      }
    });
    (faults.greeting ?? GREETS)(socket);
  };
}

/** A time in a mail has no milliseconds. */
const ROUNDED = 999;

/** @returns the name of the monitor and what is said of it */
function saidIn(source: string, at: number): [string, Said] {
  const { headers, text } = mailParts(source);
  const fact = (label: string) => new RegExp(`^${label}: (.*)$`, "m").exec(text)?.[1] ?? "";
  const [name = ""] = (headers.subject ?? "").split(/ is (?:down|up)/);
  const status = fact("Status").split(" → ").at(-1)?.toLowerCase() ?? "";
  const checkedAt = Date.parse(fact("Since").replace(" UTC", "Z")) + ROUNDED;
  return [name, { status, at, checkedAt, id: headers["message-id"] ?? "" }];
}
