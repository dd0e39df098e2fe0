import type { Socket } from "node:net";
import { breaks, type Change, down, keeps, type Scenario, silent, type Truth, UP } from "../scenario.ts";
import { all, refuses, serves } from "../world/changes.ts";
import { dribble } from "../world/http.ts";
import { type MailFaults, receivesMail, replies } from "../world/mail.ts";
import { GOOD_TCP, INTERVAL, tcpMonitor } from "./plain.ts";

/** The address of the mail server. */
const MAIL = 3;
/** Seconds: the second attempt is so much later (behavior 5.13), and an attempt lasts at most so long (5.14). */
const [RETRY, ATTEMPT] = [5, 10];

const closes = (socket: Socket) => socket.end();
const resets = (socket: Socket) => socket.resetAndDestroy();
const GREETS = "220 mail.test ESMTP";
const BANNER = tcpMonitor({ contains: "220 " });
const GOOD_BANNER = [greets(replies(GREETS)), UP] as const;

/** Mail servers that receive the notifications, each of which must arrive once, and mail servers as targets. */
export const mail: Scenario[] = [
  sent("good", "the mail server is good", {}),
  again("refuses", "the mail server greets with 421", { greeting: (to) => to.end("421 busy\r\n") }),
  again("closes-first", "the connection ends before the greeting", { greeting: closes }),
  again("resets-first", "the connection is reset before the greeting", { greeting: resets }),
  again("closes-greeted", "the connection ends after EHLO", { hello: closes }),
  again("greylists", "the recipient is refused for now", { recipient: replies("451 4.7.1 later") }),
  again("full", "the mailbox is full", { recipient: replies("452 4.2.2 full") }),
  again("closes-recipient", "the connection ends after the recipient", { recipient: closes }),
  again("data-later", "DATA is refused for now", { data: replies("451 4.3.0 later") }),
  again("closes-within", "the connection ends within the message", { message: closes }),
  again("resets-within", "the connection is reset within the message", { message: resets }),
  again("end-later", "the message is refused for now at its end", { end: replies("451 4.3.0 later") }),
  again("closes-end", "the connection ends at the end of the message, which is not kept", { end: closes }),
  again("answer-lost", "the message is kept, and the answer is lost", { end: resets, isKept: true }),
  again("silent", "the mail server says nothing", { greeting: () => {} }, ATTEMPT),
  again("silent-end", "the mail server never answers the message", { end: () => {} }, ATTEMPT),
  sent("greets-late", "the greeting comes after 4 s", { greeting: late(4000, GREETS) }, 4),
  sent("answers-late", "the answer to the message comes after 4 s", {
    end: late(4000, "250 ok"),
    isKept: true,
  }),
  sent("dribbles", "the greeting comes in single bytes", {
    greeting: (to) => void dribble(to, `${GREETS}\r\n`, { ms: 20, end: false }),
  }),
  sent("lines", "the greeting and the answer to EHLO have several lines", {
    greeting: replies("220-mail.test", "220-is not for spam", GREETS),
    hello: replies("250-mail.test", "250-SIZE 10000000", "250 8BITMIME"),
  }),
  closedFor3Seconds(),
  banner("closed", "the server ends the connection before its greeting", closes, down("protocol", "closed")),
  banner(
    "reset",
    "the server resets the connection before its greeting",
    resets,
    down("port", "closed", "reset"),
  ),
  banner("busy", "the server greets with 421", (to) => to.end("421 busy\r\n"), down("content", "closed")),
  banner("silent", "the server does not greet", () => {}, silent("protocol", "timeout")),
  banner(
    "too-late",
    "the greeting comes after the timeout",
    late(1600, GREETS),
    silent("protocol", "timeout"),
  ),
  oddBanner("late", "the greeting comes after 700 ms", late(700, GREETS)),
  oddBanner("lines", "the greeting has several lines", replies("220-mail.test", "220-no spam", GREETS)),
  oddBanner("dribbles", "the greeting comes in single bytes", (to) => {
    void dribble(to, `${GREETS}\r\n`, { ms: 10, end: false });
  }),
];

/** @param faults of the first connection for each notification @param late seconds that these take */
function sent(name: string, about: string, faults: MailFaults, late = 0): Scenario {
  return mailed(
    name,
    about,
    receivesMail(MAIL, (nth) => (nth === 1 ? faults : {})),
    late,
  );
}

/** Like `sent`, with a second attempt. @param late seconds that the first one takes */
function again(name: string, about: string, faults: MailFaults, late = 0): Scenario {
  return sent(name, about, faults, late + RETRY);
}

function closedFor3Seconds(): Scenario {
  const opens: Change = (spot) => {
    spot.refuse(spot.address(MAIL));
    setTimeout(() => receivesMail(MAIL, () => ({}))(spot), 3000);
  };
  return mailed("closed", "the mail server does not run for 3 s", opens, RETRY);
}

/** The target goes down, and up again. @param receives before each @param late seconds until a notification arrives */
function mailed(name: string, about: string, receives: Change, late: number): Scenario {
  const known = (truth: Truth): Truth => ({ ...truth, within: INTERVAL + late });
  // Also if it is known earlier: what comes again would meet the next one.
  const lasts = INTERVAL + late + 3;
  return {
    name: `mail-${name}`,
    about,
    monitors: { it: tcpMonitor() },
    channel: () => ({ type: "EMAIL", config: { to: `${name}@course.test` } }),
    server: (spot) => ({
      env: {
        STILLUP_SMTP_URL: `smtp://${spot.address(MAIL)}:${spot.port}`,
        STILLUP_SMTP_FROM: "stillup@course.test",
      },
    }),
    stages: [
      { change: GOOD_TCP[0], truths: { it: UP } },
      { change: all(receives, refuses()), truths: { it: known(down("port")) }, lasts },
      { change: all(receives, GOOD_TCP[0]), truths: { it: known(UP) }, lasts },
    ],
  };
}

function banner(name: string, about: string, greeting: (to: Socket) => unknown, truth: Truth): Scenario {
  return breaks(`smtp-${name}`, about, BANNER, [greets(greeting), truth], GOOD_BANNER);
}

function oddBanner(name: string, about: string, greeting: (to: Socket) => unknown): Scenario {
  return keeps(`smtp-${name}`, about, BANNER, greets(greeting), GOOD_BANNER);
}

function greets(greeting: (to: Socket) => unknown): Change {
  return serves(() => (socket) => void greeting(socket));
}

function late(ms: number, line: string) {
  return (socket: Socket) => void setTimeout(() => socket.write(`${line}\r\n`), ms);
}
