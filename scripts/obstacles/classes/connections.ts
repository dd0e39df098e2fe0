import { breaks, course, down, keeps, type Scenario, silent, UP } from "../scenario.ts";
import { all, deafens, once, refuses, resolvesTo, serves } from "../world/changes.ts";
import { dribble, http, OK } from "../world/http.ts";
import type { Handler } from "../world/spot.ts";
import { GOOD_HTTP, GOOD_TCP, httpMonitor, tcpMonitor } from "./plain.ts";

const WELCOME = { contains: "welcome" };
const GOOD_TEXT = [says((socket) => socket.write("you are welcome\r\n")), UP] as const;

/** Faults of a connection, below HTTP. */
export const connections: Scenario[] = [
  breaks("refused", "nothing listens any more", tcpMonitor(), [refuses(), down("port", "refused")], GOOD_TCP),
  course("refused-from-start", "nothing listens until later", tcpMonitor(), [
    [refuses(), down("port", "refused")],
    GOOD_TCP,
  ]),
  breaks(
    "silent-port",
    "the queue of connections is full: no attempt to connect is answered",
    (spot) => tcpMonitor({ host: spot.host })(spot),
    [resolvesTo(4), silent("dns", "timeout")],
    [all(GOOD_TCP[0], resolvesTo(1), once(deafens(4))), UP],
  ),
  breaks(
    "http-refused",
    "nothing listens any more",
    httpMonitor(),
    [refuses(), down("port", "refused")],
    GOOD_HTTP,
  ),
  breaks(
    "accepts-and-waits",
    "the server accepts connections and reads nothing",
    httpMonitor(),
    [says((socket) => socket.pause()), silent("protocol", "timeout")],
    GOOD_HTTP,
  ),
  breaks(
    "reads-and-waits",
    "the server reads the request and never answers",
    httpMonitor(),
    [serves(http(() => undefined)), silent("protocol", "timeout")],
    GOOD_HTTP,
  ),
  breaks(
    "empty-reply",
    "the server ends the connection without an answer",
    httpMonitor(),
    [serves(http("")), down("protocol", "closed")],
    GOOD_HTTP,
  ),
  breaks(
    "closes-at-once",
    "the server ends each connection before the request",
    httpMonitor(),
    [says((socket) => socket.end()), down(["protocol", "port"], "closed", "reset")],
    GOOD_HTTP,
  ),
  breaks(
    "resets-at-once",
    "the server resets each connection as soon as it is open",
    httpMonitor(),
    [says((socket) => socket.resetAndDestroy()), down("port", "reset", "closed")],
    GOOD_HTTP,
  ),
  breaks(
    "resets-request",
    "the server resets the connection after the request",
    httpMonitor(),
    [serves(http((socket) => socket.resetAndDestroy())), down("port", "reset")],
    GOOD_HTTP,
  ),
  breaks(
    "resets-status-line",
    "the server resets the connection within the status line",
    httpMonitor(),
    [
      serves(
        http((socket) => {
          socket.write("HTTP/1.1 2");
          setTimeout(() => socket.resetAndDestroy(), 50);
        }),
      ),
      down("protocol", "reset"),
    ],
    GOOD_HTTP,
  ),
  breaks(
    "text-reset",
    "the server resets the connection before the text that is expected",
    tcpMonitor(WELCOME),
    [says((socket) => socket.resetAndDestroy()), down("port", "closed", "reset")],
    GOOD_TEXT,
  ),
  breaks(
    "text-closed",
    "the server ends the connection before the text that is expected",
    tcpMonitor(WELCOME),
    [says((socket) => socket.end("you are not\r\n")), down("content", "closed")],
    GOOD_TEXT,
  ),
  breaks(
    "text-silence",
    "the server sends nothing",
    tcpMonitor(WELCOME),
    [says(() => {}), silent("protocol", "timeout")],
    GOOD_TEXT,
  ),
  breaks(
    "text-flood",
    "the server sends another text, without an end",
    tcpMonitor(WELCOME),
    [
      says((socket) => {
        const go = () => {
          while (!socket.destroyed && socket.write("not you ".repeat(512)));
        };
        socket.on("drain", go);
        go();
      }),
      down("content", "unexpected"),
    ],
    GOOD_TEXT,
  ),
  breaks(
    "text-of-question",
    "the server answers the text that is sent with another one",
    tcpMonitor({ send: "PING\r\n", contains: "PONG" }),
    [says((socket) => void socket.once("data", () => socket.end("-ERR\r\n"))), down("content", "closed")],
    [says((socket) => void socket.once("data", () => socket.end("+PONG\r\n"))), UP],
  ),
  keeps(
    "tcp-resets-at-once",
    "the server resets each connection as soon as it is open, which it was",
    tcpMonitor(),
    says((socket) => socket.resetAndDestroy()),
    GOOD_TCP,
  ),
  keeps(
    "tcp-closes-at-once",
    "the server ends each connection",
    tcpMonitor(),
    says((socket) => socket.end()),
    GOOD_TCP,
  ),
  keeps(
    "text-in-bytes",
    "the expected text arrives in single bytes",
    tcpMonitor(WELCOME),
    says((socket) => void dribble(socket, "so you are welcome", { ms: 5 })),
    GOOD_TEXT,
  ),
  keeps(
    "text-late",
    "the expected text arrives after 600 ms",
    tcpMonitor(WELCOME),
    says((socket) => void setTimeout(() => socket.end("welcome"), 600)),
    GOOD_TEXT,
  ),
  keeps(
    "text-then-reset",
    "the connection is reset after the expected text",
    tcpMonitor(WELCOME),
    says((socket) => socket.write("welcome", () => void setTimeout(() => socket.resetAndDestroy(), 20))),
    GOOD_TEXT,
  ),
  keeps(
    "answers-and-resets",
    "the server resets the connection as soon as its whole answer is sent",
    httpMonitor({ expect: { contains: "ok" } }),
    serves(http((socket) => void socket.write(OK, () => socket.resetAndDestroy()))),
    GOOD_HTTP,
  ),
  keeps(
    "stays-open",
    "the server does not end the connection after its answer",
    httpMonitor({ expect: { contains: "ok" } }),
    serves(http((socket) => void socket.write(OK))),
    GOOD_HTTP,
  ),
];

function says(handler: (socket: Parameters<Handler>[0]) => unknown) {
  return serves(() => (socket) => void handler(socket));
}
