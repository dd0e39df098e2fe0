import type { GreetingProtocol, StarttlsProtocol } from "../../domain/monitors/kinds/tcp.ts";
import { ProbeError } from "../probe-error.ts";
import type { Talk } from "./probe-greeting.ts";

/** No handshake packet is as long; bytes. */
const MAX_PACKET = 8 * 1024;

const HEADER = 4;
const ERROR = 0xff;
/** Version 9 is the one before MySQL 3.21. */
const VERSIONS = [9, 10];

/** Capabilities in the handshake packet and in the request for TLS. */
const PROTOCOL_41 = 0x0200;
const TLS = 0x0800;

/** Between the version of the server and its capabilities: the number of the connection, 8 bytes of the salt, and a zero. */
const BEFORE_CAPABILITIES = 4 + 8 + 1;

/**
 * Reads the first packet of a server: three bytes of length, the number 0, and either a handshake or an error.
 *
 * @returns its content, one character for each byte
 * @throws ProbeError `unexpected`, for an error with its number
 */
async function readHandshake(talk: Talk): Promise<string> {
  const header = Buffer.from(await talk.bytes(HEADER), "latin1");
  const length = header.readUIntLE(0, 3);
  if (header.readUInt8(3) !== 0 || length < 3 || length > MAX_PACKET) throw talk.isForeign();
  const packet = await talk.bytes(length);
  const kind = packet.charCodeAt(0);
  if (kind === ERROR) throw refusal(Buffer.from(packet, "latin1").readUInt16LE(1));
  if (!VERSIONS.includes(kind) || endOfVersion(packet) < 2) throw talk.isForeign();
  return packet;
}

function refusal(code: number): ProbeError {
  return new ProbeError("unexpected", `the server refuses the connection with the error ${code}`, { code });
}

function endOfVersion(packet: string): number {
  return packet.indexOf("\0", 1);
}

function offersTls(packet: string): boolean {
  const at = endOfVersion(packet) + 1 + BEFORE_CAPABILITIES;
  const bytes = Buffer.from(packet.slice(at, at + 2), "latin1");
  return bytes.length === 2 && (bytes.readUInt16LE() & TLS) !== 0;
}

/** The start of a sign-in, which ends here: capabilities, the longest packet, a character set, and 23 zeros. */
function tlsRequest(): Buffer {
  const content = Buffer.alloc(4 + 4 + 1 + 23);
  content.writeUInt32LE(PROTOCOL_41 | TLS, 0);
  content.writeUInt32LE(2 ** 24, 4);
  const utf8mb4 = 45;
  content.writeUInt8(utf8mb4, 8);
  const first = 1;
  return Buffer.concat([Buffer.of(content.length, 0, 0, first), content]);
}

/** A reply of SMTP or FTP. @property lines all of them, with their numbers */
interface Reply {
  code: number;
  lines: string[];
}

/** Whether a line is the last one of a reply that began with a number. */
type IsLast = (line: string, code: string) => boolean;

/** Each line has a number, and the last one counts: a server may greet in several lines and then refuse (RFC 5321, 4.2.1). */
const smtpReply = (talk: Talk) => readReply(talk, (line) => /^[1-5]\d\d(?: |$)/.test(line), NUMBERED);

/** The lines between the first and the last one are any text (RFC 959, 4.2). */
const ftpReply = (talk: Talk) =>
  readReply(talk, (line, code) => line === code || line.startsWith(`${code} `), ANY);

const NUMBERED = ["000"];
const ANY: string[] = [];

async function readReply(talk: Talk, isLast: IsLast, next: readonly string[]): Promise<Reply> {
  const first = await talk.line(NUMBERED);
  const [code] = /^[1-5]\d\d(?=[ -]|$)/.exec(first) ?? [];
  if (code === undefined) throw talk.isForeign();
  const lines = [first];
  for (let last = first; !isLast(last, code); lines.push(last)) last = await talk.line(next);
  return { code: Number(lines.at(-1)?.slice(0, 3)), lines };
}

/** @param to what the server answers, for the message @returns its text @throws ProbeError `unexpected` with the number, if it is another one */
function demand({ code, lines }: Reply, wanted: number, to?: string): string {
  if (code === wanted) return lines.join("\n");
  const does = to === undefined ? "greets" : `answers ${to}`;
  throw new ProbeError("unexpected", `the server ${does} with ${code} instead of ${wanted}`, { code });
}

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
const REDIS_ERRORS = ["LOADING", "BUSY", "DENIED", "MASTERDOWN", "ERR"];

function redisError(line: string): ProbeError {
  const kind = REDIS_ERRORS.find((one) => line.startsWith(`-${one} `));
  return new ProbeError("unexpected", `the server answers PING with an error${kind ? ` (${kind})` : ""}`);
}

/** Its length, and a version of the protocol that does not exist. */
const POSTGRES_TLS_REQUEST = Buffer.from("0000000804d2162f", "hex");
