import {
  GREETING_PROTOCOLS,
  type GreetingProtocol,
  STARTTLS_PROTOCOLS,
} from "../../../src/domain/monitors/kinds/tcp.ts";
import type { Draw } from "../../simulator/truth/draw.ts";
import { mutated, shorter } from "../bytes/mutate.ts";
import { drawCuts, simplerCuts } from "../bytes/pieces.ts";
import type { Exchange } from "../http/input.ts";
import type { Protocol } from "../protocol.ts";
import { judgeGreeting } from "./judge.ts";

/** @property sent all that the server says, whatever it is asked @property starttls whether the check asks for TLS */
export interface GreetingInput {
  protocol: GreetingProtocol;
  starttls: boolean;
  sent: Omit<Exchange, "truth">;
}

const HANDSHAKE = `J\0\0\0\x0a8.0.39\0\x08\0\0\0saltsalt\0\xff\xff\xff\x02\0\xff\xdf\x15${"\0".repeat(10)}moresaltmore\0cach`;

/** Texts of servers: greetings, agreements to TLS and refusals. */
const SAID: Record<GreetingProtocol, readonly [string, ...string[]]> = {
  smtp: [
    "220 mail.cut.test ESMTP\r\n",
    "220-mail.cut.test\r\n220 ready\r\n250-mail\r\n250-STARTTLS\r\n250 HELP\r\n220 go\r\n",
    "220 a\r\n250 STARTTLS\r\n454 not now\r\n",
    "554-no\r\n554 never\r\n",
    "421 too busy\r\n",
  ],
  imap: [
    "* OK [CAPABILITY IMAP4rev1] ready\r\n",
    "* OK a\r\n* NOTE b\r\na OK begin\r\n",
    "* PREAUTH alice\r\n",
    "* BYE full\r\n",
    "* OK a\r\na BAD no\r\n",
  ],
  pop3: ["+OK ready\r\n", "+OK a\r\n+OK begin\r\n", "-ERR no\r\n", "+OK a\r\n-ERR no\r\n"],
  ftp: [
    "220 (vsFTPd 3.0.3)\r\n",
    "220-Welcome\r\n free text\r\n220 a\r\n234 begin\r\n",
    "421 too many\r\n",
    "220 a\r\n530 no\r\n",
  ],
  ssh: ["SSH-2.0-OpenSSH_9.2p1\r\n", "free text\r\nSSH-1.99-x\r\n", "Exceeded MaxStartups\r\n"],
  mysql: [HANDSHAKE, "\x17\0\0\0\xff\x10\x04Too many connections"],
  redis: ["+PONG\r\n", "-NOAUTH Authentication required.\r\n", "-NOPERM no ping\r\n", "-LOADING data\r\n"],
  postgres: ["S", "N", "E"],
};

const TOKENS = [
  "\r\n",
  "\n",
  "220 ",
  "220-",
  "* OK",
  "+OK",
  "-ERR",
  "SSH-2.0-",
  "\0",
  "\xff",
  "a OK",
] as const;
const MAX_LINE = 8 * 1024;
const MAX_SAID = 64 * 1024;

/** Checks of greetings, without sockets. */
export const greetings: Protocol<GreetingInput> = {
  outcomes: ["reached", "agreed", "failed closed", "failed unexpected", "waits"],
  draw(draw) {
    const starttls = draw.chance(0.5);
    const protocol = draw.pick(starttls ? STARTTLS_PROTOCOLS : GREETING_PROTOCOLS);
    const bytes = drawBytes(draw, protocol);
    return {
      protocol,
      starttls,
      sent: {
        bytes,
        cuts: drawCuts(draw, bytes.length),
        arrival: draw.pick(["as read", "late", "before"] as const),
        end: draw.pick(["close", "reset", "open"] as const),
      },
    };
  },
  judge: judgeGreeting,
  *simpler({ sent, ...rest }) {
    if (sent.arrival !== "as read") yield { ...rest, sent: { ...sent, arrival: "as read" } };
    if (sent.end !== "close") yield { ...rest, sent: { ...sent, end: "close" } };
    for (const cuts of simplerCuts(sent.cuts)) yield { ...rest, sent: { ...sent, cuts } };
    for (const bytes of shorter(sent.bytes)) yield { ...rest, sent: { ...sent, bytes } };
  },
};

/** Some say what another protocol says, and some about as much as a check reads. */
function drawBytes(draw: Draw, protocol: GreetingProtocol): string {
  const text = draw.pick(SAID[draw.chance(0.85) ? protocol : draw.pick(GREETING_PROTOCOLS)]);
  const said = draw.chance(0.6) ? mutated(text, draw, TOKENS) : text;
  if (draw.chance(0.02)) return said + "x".repeat(MAX_LINE + draw.whole(-40, 20));
  if (draw.chance(0.02)) return `${"220-\r\n".repeat(MAX_SAID / 6 - draw.whole(0, 8))}${said}`;
  return said;
}
