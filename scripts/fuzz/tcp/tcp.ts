import type { Draw } from "../../simulator/truth/draw.ts";
import { mutated, shorter } from "../bytes/mutate.ts";
import { drawCuts, simplerCuts } from "../bytes/pieces.ts";
import type { Exchange } from "../http/input.ts";
import type { Protocol } from "../protocol.ts";
import { judgeTcp, MAX_READ } from "./judge.ts";

/** A TCP check that waits for a text, and the bytes that the server sends. Without a text, any connection will do. */
export interface TcpInput {
  contains: string | undefined;
  sent: Omit<Exchange, "truth">;
}

/** Greetings of servers, one character for each byte. */
const GREETINGS = [
  "220 mail.cut.test ESMTP Postfix (Debian/GNU)\r\n",
  "220-mail.cut.test\r\n220 ready\r\n250-SIZE 10485760\r\n250 STARTTLS\r\n",
  "SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3\r\n",
  "+PONG\r\n",
  "* OK [CAPABILITY IMAP4rev1 LITERAL+] Dovecot ready.\r\n",
  "J\0\0\0\x0a8.0.39\0\x08\0\0\0",
  "caf\xc3\xa9 \xff\xfe\r\n",
  "",
] as const;

const EXPECTED = [
  "220",
  "ESMTP",
  "\r\n250",
  "café",
  "SSH-2.0-",
  "PONG\r\n",
  "ready\r\n220",
  "8.0.39\0",
  "never there",
] as const;

const TOKENS = ["\r\n", "220", "café", "\xc3", "\xa9", "\0", "SSH", "PON"] as const;

/** TCP checks that wait for a text, without sockets. */
export const tcp: Protocol<TcpInput> = {
  outcomes: ["reached", "failed closed", "failed unexpected", "waits"],
  draw(draw) {
    const bytes = drawBytes(draw);
    return {
      contains: draw.chance(0.95) ? draw.pick(EXPECTED) : undefined,
      sent: {
        bytes,
        cuts: drawCuts(draw, bytes.length),
        arrival: draw.pick(["as read", "late", "before"] as const),
        end: draw.pick(["close", "reset", "open"] as const),
      },
    };
  },
  judge: judgeTcp,
  *simpler({ contains, sent }) {
    if (sent.arrival !== "as read") yield { contains, sent: { ...sent, arrival: "as read" } };
    if (sent.end !== "close") yield { contains, sent: { ...sent, end: "close" } };
    for (const cuts of simplerCuts(sent.cuts)) yield { contains, sent: { ...sent, cuts } };
    for (const bytes of shorter(sent.bytes)) yield { contains, sent: { ...sent, bytes } };
  },
};

/** Some are about as long as all that a check reads. */
function drawBytes(draw: Draw): string {
  const greeting = draw.pick(GREETINGS);
  const text = draw.chance(0.6) ? mutated(greeting, draw, TOKENS) : greeting;
  return draw.chance(0.02) ? "x".repeat(MAX_READ - draw.whole(-5, 60)) + text : text;
}
