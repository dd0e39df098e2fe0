import type { Socket } from "node:net";
import { invalidity } from "../../domain/checks/certificate.ts";
import type { Observation } from "../../domain/checks/observation.ts";
import type { GreetingConfig, GreetingProtocol, StarttlsProtocol } from "../../domain/monitors/kinds/tcp.ts";
import { certifiedHandshake } from "../certified-handshake.ts";
import { type Connection, nodeConnection, readMore } from "../connections/connection.ts";
import { dial, dialSocket } from "../connections/dial.ts";
import { observe, type ProbeContext, type ProbeInput, type Seen } from "../observe.ts";
import { since } from "../probe-clock.ts";
import { ProbeError } from "../probe-error.ts";
import { PROTOCOLS, type Protocol } from "./protocols.ts";

/**
 * Opens a connection, and reads the greeting of a server, over TLS if the config says so. Never signs in. The latency is to the
 * open connection (behavior 20.10, 20.13).
 */
export function probeGreeting(config: GreetingConfig, input: ProbeInput): Promise<Observation> {
  const isPlain = config.tls === undefined || config.tls === "none";
  return observe(input, (context) =>
    isPlain ? greetPlain(config, context) : greetSecurely(config, context),
  );
}

async function greetPlain({ host, port, protocol }: GreetingConfig, context: ProbeContext): Promise<Seen> {
  const connection = await dial({ host, port }, context);
  const latencyMs = since(context.start);
  await greet(connection, protocol, context);
  return { outcome: "reached", latencyMs, detail: {} };
}

async function greetSecurely(config: GreetingConfig, context: ProbeContext): Promise<Seen> {
  const { host, port, protocol, tls, verifyTls = true, servername = host } = config;
  const plain = await dialSocket({ host, port }, context);
  const latencyMs = since(context.start);
  if (config.tls === "starttls") await requestTls(config.protocol, plain, context);
  const { alpn, goodbye = "" } = PROTOCOLS[protocol];
  const { socket, certificate, error } = await certifiedHandshake(plain, servername, {
    context,
    oldVersions: false,
    alpn,
  });
  if (error) throw error;
  const connection = nodeConnection(socket, context.lifetime, plain);
  // A server that chose the name of the protocol has shown that it speaks it, and waits for a sign-in.
  const hasShown = tls === "starttls" || (alpn !== undefined && socket.alpnProtocol === alpn);
  const isTrusted = !verifyTls || certificate.authorized;
  if (hasShown || !isTrusted) connection.leave(hasShown ? goodbye : "");
  if (!isTrusted)
    throw new ProbeError("tls_invalid", invalidity(servername, certificate.authorizationError), {
      certificate,
    });
  if (!hasShown) await greet(connection, protocol, context);
  return { outcome: "reached", latencyMs, certificate, detail: {} };
}

async function greet(
  connection: Connection,
  protocol: GreetingProtocol,
  context: ProbeContext,
): Promise<void> {
  const talk = new Talk(connection, PROTOCOLS[protocol]);
  context.conversation = connection;
  context.waitingFor = "greeting";
  try {
    await PROTOCOLS[protocol].greet(talk);
  } finally {
    talk.leave();
  }
}

/**
 * Reads the greeting of a server, and asks it for TLS (STARTTLS). The handshake must begin at once.
 *
 * @throws ProbeError `unexpected` if the server does not agree, or says more in plain text after it has agreed: somebody on the
 * way may have added that, and nothing may take it for what the server says over TLS (CVE-2011-0411). `closed`
 */
export async function requestTls(
  protocol: StarttlsProtocol,
  socket: Socket,
  context: ProbeContext,
): Promise<void> {
  const { greet, starttls } = PROTOCOLS[protocol];
  const connection = nodeConnection(socket, context.lifetime);
  const talk = new Talk(connection, PROTOCOLS[protocol]);
  context.conversation = connection;
  try {
    context.waitingFor = "greeting";
    const greeting = await greet(talk);
    context.waitingFor = "answer";
    await starttls(talk, greeting);
  } catch (error) {
    talk.leave();
    throw error;
  }
  if (connection.release().length > 0 || talk.unread !== "")
    throw new ProbeError("unexpected", "the server sent plain text after it agreed to TLS", {
      isForeign: true,
    });
}

/** How long a line of a server may be, in bytes: no protocol allows longer ones. */
const MAX_LINE = 8 * 1024;

/** How much a server may say before the check ends, in bytes. */
const MAX_SAID = 64 * 1024;

/** The conversation with a server, up to its end or to TLS. Its texts have one character for each byte. */
export class Talk {
  /** Bytes that have arrived and are not read. */
  unread = "";
  private left = MAX_SAID;
  private isWithOther = false;

  constructor(
    private readonly connection: Connection,
    private readonly protocol: Pick<Protocol, "name" | "goodbye">,
  ) {}

  say(bytes: string | Buffer): void {
    this.connection.write(bytes);
  }

  /**
   * Reads a line.
   *
   * @param starts how it may begin, with a 0 for any digit: anything else is refused before the end of the line arrives
   * @returns the line without its end
   * @throws ProbeError `unexpected`, `closed`
   */
  async line(starts: readonly string[]): Promise<string> {
    for (let searched = 0; ; await this.more()) {
      if (!mayBegin(this.unread, starts)) throw this.isForeign();
      const end = this.unread.indexOf("\n", searched);
      if ((end < 0 ? this.unread.length : end) > MAX_LINE)
        throw new ProbeError("unexpected", `the server sent a line of more than ${MAX_LINE / 1024} KiB`, {
          isForeign: true,
        });
      if (end >= 0) return this.take(end + 1).replace(/\r?\n$/, "");
      searched = this.unread.length;
    }
  }

  /** Reads so many bytes. @throws ProbeError `unexpected`, `closed` */
  async bytes(count: number): Promise<string> {
    while (this.unread.length < count) await this.more();
    return this.take(count);
  }

  /** Ends the conversation without waiting for an answer, also one in which the server refused something (RFC 5321, 3.1). */
  leave(): void {
    if (!this.isWithOther) this.connection.leave(this.protocol.goodbye ?? "");
  }

  /** The server speaks something else. */
  isForeign(): ProbeError {
    this.isWithOther = true;
    const message = `the server does not speak ${this.protocol.name} on that port`;
    return new ProbeError("unexpected", message, { isForeign: true });
  }

  private take(count: number): string {
    const taken = this.unread.slice(0, count);
    this.unread = this.unread.slice(count);
    return taken;
  }

  private async more(): Promise<void> {
    if (this.left <= 0)
      throw new ProbeError("unexpected", `the server sent more than ${MAX_SAID / 1024} KiB`, {
        isForeign: true,
      });
    const more = await readMore(this.connection);
    if (more === undefined)
      throw new ProbeError("closed", "the server closed the connection before it answered completely");
    this.unread += more.slice(0, this.left);
    this.left -= more.length;
  }
}

/** Whether a text that may be incomplete begins in one of these ways. */
function mayBegin(text: string, starts: readonly string[]): boolean {
  if (starts.length === 0) return true;
  const begin = text.slice(0, 8).replace(/\d/g, "0");
  return starts.some((start) => start.startsWith(begin.slice(0, start.length)));
}
