import type { Socket } from "node:net";
import { answer } from "../../../test/support/servers/http-answers.ts";
import { type Change, down, type Scenario, type Truth, UP } from "../scenario.ts";
import { all, refuses } from "../world/changes.ts";
import { ACCEPTS, type Answers, receives } from "../world/receiver.ts";
import { GOOD_TCP, INTERVAL, tcpMonitor } from "./plain.ts";

/** The address of the receiver. */
const RECEIVER = 3;
/** Seconds: the second attempt is so much later (behavior 5.13), and an attempt lasts at most so long (5.14). */
const [RETRY, ATTEMPT] = [5, 10];

/** Receivers of webhooks that fail at first. Each notification must arrive once. */
export const receivers: Scenario[] = [
  sent("good", "the receiver is good", ACCEPTS),
  sent("late", "the answer comes after 4 s", keeps(late(4000, "200 OK")), { late: 0 }),
  sent(
    "byte-answer",
    "the answer says 202, in single bytes",
    keeps((to) => void dribbles(to, "HTTP/1.1 202 A\r\n\r\n")),
  ),
  again("500", "the receiver answers 500", drops(says("500 Internal Server Error"))),
  again("503", "the receiver answers 503", drops(says("503 Service Unavailable"))),
  again("408", "the receiver answers 408", drops(says("408 Request Timeout"))),
  again("redirect", "the receiver redirects", drops(says("302 Found", "Location: /other"))),
  again(
    "closes",
    "the connection ends without an answer",
    drops((to) => to.end()),
  ),
  again(
    "resets",
    "the connection is reset",
    drops((to) => to.resetAndDestroy()),
  ),
  again(
    "garbage",
    "the answer is garbage",
    drops((to) => to.end("garbage\r\n\r\n")),
  ),
  again(
    "half",
    "the answer breaks off",
    drops((to) => to.end("HTTP/1.1 2")),
  ),
  again(
    "silent",
    "the receiver does not answer",
    drops(() => {}),
    ATTEMPT,
  ),
  again(
    "answer-lost",
    "the notification is kept, and the answer is lost",
    keeps((to) => to.resetAndDestroy()),
  ),
  again(
    "429",
    "the receiver answers 429 and names 7 s",
    drops(says("429 Too Many Requests", "Retry-After: 7")),
    2,
  ),
  closedFor3Seconds(),
];

type Act = (socket: Socket) => unknown;

function keeps(act: Act): Answers {
  return (socket) => {
    act(socket);
    return true;
  };
}

function drops(act: Act): Answers {
  return (socket) => {
    act(socket);
    return false;
  };
}

function says(status: string, ...headers: string[]): Act {
  return (socket) => socket.end(answer(status, [...headers, "Content-Length: 0"]));
}

function late(ms: number, status: string): Act {
  return (socket) => void setTimeout(() => says(status)(socket), ms);
}

async function dribbles(socket: Socket, text: string): Promise<void> {
  for (const byte of text) {
    await Bun.sleep(20);
    socket.write(byte);
  }
  socket.end();
}

/** @param first how it answers the first attempt @param late seconds until the notification arrives */
function sent(name: string, about: string, first: Answers, { late = 0 } = {}): Scenario {
  return received(
    name,
    about,
    receives(RECEIVER, (nth) => (nth === 1 ? first : ACCEPTS)),
    late,
  );
}

/** Like `sent`, with a second attempt. @param late seconds that are added to the usual pause */
function again(name: string, about: string, first: Answers, late = 0): Scenario {
  return sent(name, about, first, { late: late + RETRY });
}

function closedFor3Seconds(): Scenario {
  const opens: Change = (spot) => {
    spot.refuse(spot.address(RECEIVER));
    setTimeout(() => receives(RECEIVER, () => ACCEPTS)(spot), 3000);
  };
  return received("closed", "the receiver does not run for 3 s", opens, RETRY);
}

/** The target goes down, and up again. @param receives before each */
function received(name: string, about: string, receives: Change, late: number): Scenario {
  const known = (truth: Truth): Truth => ({ ...truth, within: INTERVAL + late });
  // Also if it is known earlier: what comes again would meet the next one.
  const lasts = INTERVAL + late + 3;
  return {
    name: `receiver-${name}`,
    about,
    monitors: { it: tcpMonitor() },
    channel: (spot) => ({
      type: "WEBHOOK",
      config: { url: `http://${spot.address(RECEIVER)}:${spot.port}/` },
    }),
    stages: [
      { change: GOOD_TCP[0], truths: { it: UP } },
      { change: all(receives, refuses()), truths: { it: known(down("port", "refused")) }, lasts },
      { change: all(receives, GOOD_TCP[0]), truths: { it: known(UP) }, lasts },
    ],
  };
}
