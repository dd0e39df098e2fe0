import type { GreetingProtocol, StarttlsProtocol } from "../../domain/monitors/tcp-config.ts";
import { ProbeError } from "../probe-error.ts";
import { offersTls, readHandshake, tlsRequest } from "./mysql-packet.ts";
import { demand, ftpReply, smtpReply } from "./replies.ts";
import type { Talk } from "./talk.ts";

/** How a server shows that it speaks a protocol. Nothing here signs in. */
export interface Protocol {
  /** For messages. */
  name: string;
  /**
   * Reads and judges the greeting; if the server waits for the client, sends a request first.
   *
   * @returns the greeting
   * @throws ProbeError `unexpected`, `closed`
   */
  greet(talk: Talk): Promise<string>;
  /** Asks for TLS. Returns once the server has agreed. @param greeting what `greet` returned @throws like `greet` */
  starttls?(talk: Talk, greeting: string): Promise<void>;
  /** The last words of a client. */
  goodbye?: string;
  /** The name that a handshake offers, for servers that speak nothing but this protocol over TLS (ALPN). */
  alpn?: string;
}

/** Behavior 20.10 to 20.24. */
export const PROTOCOLS: { [P in GreetingProtocol]: Protocol } & Record<StarttlsProtocol, Starttls> = {
  smtp: {
    name: "SMTP",
    greet: async (talk) => demand(await smtpReply(talk), 220),
    async starttls(talk) {
      // The name that RFC 5321, 4.1.4 gives to a client without one.
      talk.say("EHLO [127.0.0.1]\r\n");
      const offers = demand(await smtpReply(talk), 250, "EHLO");
      if (!/^250[ -]STARTTLS\s*$/im.test(offers)) throw notOffered();
      talk.say("STARTTLS\r\n");
      demand(await smtpReply(talk), 220, "STARTTLS");
    },
    goodbye: "QUIT\r\n",
  },
  imap: {
    name: "IMAP",
    async greet(talk) {
      const [, state = ""] = /^\* (OK|PREAUTH|BYE)(?: |$)/i.exec(await talk.line(["* "])) ?? [];
      if (state === "") throw talk.isForeign();
      if (state.toUpperCase() === "BYE") throw refused("BYE");
      return state.toUpperCase();
    },
    async starttls(talk, greeting) {
      // Somebody who is signed in may not start TLS (RFC 9051, 6.2.1).
      if (greeting === "PREAUTH") throw notOffered("PREAUTH");
      talk.say("a STARTTLS\r\n");
      let line: string;
      do line = (await talk.line(["* ", "a "])).toUpperCase();
      while (line.startsWith("* ") && !line.startsWith("* BYE"));
      if (!/^A OK(?: |$)/.test(line)) throw notOffered();
    },
    goodbye: "z LOGOUT\r\n",
  },
  pop3: {
    name: "POP3",
    async greet(talk) {
      const line = await talk.line(POP3);
      if (line.startsWith("-")) throw refused("-ERR");
      return line;
    },
    async starttls(talk) {
      talk.say("STLS\r\n");
      if ((await talk.line(POP3)).startsWith("-")) throw notOffered("-ERR");
    },
    goodbye: "QUIT\r\n",
  },
  ftp: {
    name: "FTP",
    greet: async (talk) => demand(await ftpReply(talk), 220),
    async starttls(talk) {
      talk.say("AUTH TLS\r\n");
      demand(await ftpReply(talk), 234, "AUTH TLS");
    },
    goodbye: "QUIT\r\n",
  },
  ssh: {
    name: "SSH",
    async greet(talk) {
      for (;;) {
        const line = await talk.line([]);
        if (/^SSH-(?:2\.0|1\.99)-/.test(line)) return line;
        if (!mayPrecedeSsh(line)) throw talk.isForeign();
      }
    },
    // A client must say its version too (RFC 4253, 4.2).
    goodbye: "SSH-2.0-stillup\r\n",
  },
  mysql: {
    name: "MySQL",
    greet: readHandshake,
    async starttls(talk, greeting) {
      if (!offersTls(greeting)) throw notOffered();
      // The offer was the agreement.
      talk.say(tlsRequest());
    },
  },
  redis: {
    name: "Redis",
    async greet(talk) {
      talk.say(redisCommand("PING"));
      const line = await talk.line(["+PONG", "-"]);
      if (line === "+PONG" || /^-(NOAUTH|NOPERM)(?: |$)/.test(line)) return line;
      throw line.startsWith("-") ? redisError(line) : talk.isForeign();
    },
    goodbye: redisCommand("QUIT"),
  },
  postgres: {
    name: "PostgreSQL",
    async greet(talk) {
      talk.say(POSTGRES_TLS_REQUEST);
      const answer = await talk.bytes(1);
      // More than one byte is the greeting of something else, for example of SSH.
      if (!/^[SNE]$/.test(answer) || (answer !== "E" && talk.unread !== "")) throw talk.isForeign();
      if (answer === "E") throw new ProbeError("unexpected", "the server answers with an error");
      return answer;
    },
    async starttls(_, greeting) {
      if (greeting !== "S") throw notOffered();
    },
    alpn: "postgresql",
  },
};

const POP3 = ["+OK", "-ERR"];

type Starttls = Required<Pick<Protocol, "starttls">>;

/** @param by how the server says it */
function notOffered(by?: string): ProbeError {
  return new ProbeError("unexpected", `the server does not offer STARTTLS${by ? ` (${by})` : ""}`);
}

function refused(by: string): ProbeError {
  return new ProbeError("unexpected", `the server refuses the connection (${by})`);
}

/** A server may send lines of text before its version (RFC 4253, 4.2). A greeting of another protocol is none of them. */
function mayPrecedeSsh(line: string): boolean {
  return !line.includes("\0") && !/^(?:SSH-|\d{3}(?:[ -]|$)|[*+-]|HTTP\/)/.test(line);
}

/** An array of one string, which proxies require. */
function redisCommand(name: string): string {
  return `*1\r\n$${name.length}\r\n${name}\r\n`;
}

/** The errors that a message names. */
const REDIS_ERRORS = ["LOADING", "BUSY", "DENIED", "MASTERDOWN", "NOPERM", "ERR"];

function redisError(line: string): ProbeError {
  const kind = REDIS_ERRORS.find((one) => line.startsWith(`-${one} `));
  return new ProbeError("unexpected", `the server answers PING with an error${kind ? ` (${kind})` : ""}`);
}

/** Its length, and a version of the protocol that does not exist. */
const POSTGRES_TLS_REQUEST = Buffer.from("0000000804d2162f", "hex");
