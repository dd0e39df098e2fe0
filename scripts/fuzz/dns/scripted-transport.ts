import type { DnsServer } from "../../../src/domain/network/dns-server.ts";
import type { DnsTransport, Received, Send } from "../../../src/probes/dns/dns-exchange.ts";
import type { Closable } from "../../../src/probes/lifetime.ts";
import { split } from "../bytes/pieces.ts";
import type { Datagrams, Server, Stream } from "./input.ts";

/** A query as it was sent. */
export interface Sent {
  server: number;
  overTcp: boolean;
  message: Buffer;
}

/** Servers without sockets, and timers that expire as soon as nothing else happens. */
export class ScriptedTransport implements DnsTransport {
  readonly sent: Sent[] = [];
  open = 0;
  /** Bytes that the client was given of one message over TCP. */
  received = 0;
  private readonly timers = new Map<Closable, { at: number; expire: () => void }>();
  private now = 0;

  constructor(private readonly servers: readonly Server[]) {}

  readonly udp: Send = (server, message, received) => {
    const { script, times, isRoot } = this.note(server, message, false);
    const datagrams: Datagrams = isRoot ? (script.isAlive ? [ROOT_ANSWER] : []) : (script.udp[times] ?? []);
    return this.deliver((isOpen) => this.sendDatagrams(datagrams, message, received, isOpen));
  };

  readonly tcp: Send = (server, message, received) => {
    const { script, times } = this.note(server, message, true);
    const stream = script.tcp[times];
    return this.deliver(async (isOpen) => {
      if (stream) await this.sendStream(stream, message, received, isOpen);
      else received.fail(Object.assign(new Error("refused"), { code: "ECONNREFUSED" }));
    });
  };

  after(ms: number, expire: () => void): Closable {
    const timer = { close: () => void this.timers.delete(timer) };
    this.timers.set(timer, { at: this.now + ms, expire });
    return timer;
  }

  /** @returns whether there was a timer */
  expireNext(): boolean {
    const [first] = [...this.timers].sort(([, a], [, b]) => a.at - b.at);
    if (!first) return false;
    const [timer, { at, expire }] = first;
    this.timers.delete(timer);
    this.now = at;
    expire();
    return true;
  }

  private note({ port }: DnsServer, message: Buffer, overTcp: boolean) {
    const [server, isRoot] = [port - 1, isRootQuery(message, overTcp)];
    const isSame = (one: Sent) => one.server === server && one.overTcp === overTcp;
    const times = this.sent.filter((one) => isSame(one) && !isRootQuery(one.message, overTcp)).length;
    this.sent.push({ server, overTcp, message });
    const script = this.servers[server];
    if (!script) throw new Error(`no server ${server}`);
    return { script, times, isRoot };
  }

  private deliver(send: (isOpen: () => boolean) => Promise<void>): Closable {
    let isOpen = true;
    this.open++;
    queueMicrotask(() => void send(() => isOpen));
    return {
      close: () => {
        if (!isOpen) return;
        isOpen = false;
        this.open--;
      },
    };
  }

  private async sendDatagrams(
    datagrams: Datagrams,
    query: Buffer,
    { data, fail }: Received,
    isOpen: () => boolean,
  ) {
    if (datagrams === "refused") {
      fail(Object.assign(new Error("refused"), { code: "ECONNREFUSED" }));
      return;
    }
    for (const { message, isForeign } of datagrams) {
      if (!isOpen()) return;
      data(withId(message.bytes, query.readUInt16BE(0) ^ (isForeign ? 1 : 0)));
      await undefined;
    }
  }

  private async sendStream(
    { message, length, cuts, end }: Stream,
    query: Buffer,
    to: Received,
    isOpen: () => boolean,
  ) {
    const prefix = String.fromCharCode(length >> 8, length & 0xff);
    const answer = withId(message.bytes, query.readUInt16BE(2)).toString("latin1");
    for (const piece of split(prefix + answer, cuts)) {
      if (!isOpen()) return;
      this.received += piece.length;
      to.data(Buffer.from(piece, "latin1"));
      await undefined;
    }
    if (!isOpen() || end === "open") return;
    if (end === "close") to.end();
    else to.fail(Object.assign(new Error("reset"), { code: "ECONNRESET" }));
  }
}

function withId(bytes: string, id: number): Buffer {
  const packet = Buffer.from(bytes, "latin1");
  if (packet.length >= 2) packet.writeUInt16BE(id, 0);
  return packet;
}

/** The name of a query follows its header. */
function isRootQuery(message: Buffer, overTcp: boolean): boolean {
  return message[overTcp ? 14 : 12] === 0;
}

const ROOT_ANSWER = {
  message: { bytes: "\0\0\x81\x80\0\x01\0\0\0\0\0\0\0\0\x02\0\x01", truth: null },
  isForeign: false,
};
