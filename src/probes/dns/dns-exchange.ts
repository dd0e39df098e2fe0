import { createSocket } from "node:dgram";
import { isIPv6, connect as openTcp } from "node:net";
import type { Lookup } from "../../domain/checks/observation.ts";
import type { DnsServer } from "../../domain/network/dns-server.ts";
import type { OpenSockets } from "../connections/network.ts";
import { type Closable, Lifetime } from "../lifetime.ts";
import { encodeQuestion, type Query, readAnswer } from "./dns-packet.ts";

/** The result of one query to one server. `unreachable`: the network reports that nothing listens there. */
export type Exchange = Lookup | "silent" | "unreachable";

/**
 * Sends one query to one server over UDP, again without EDNS if the server refuses that, and again over TCP if the answer
 * was truncated. Every query has its own source port and a random ID. Packets that match neither are ignored, so that
 * nobody can forge an answer.
 *
 * @param timeout milliseconds
 * @throws if a fault of this machine prevents the query, for example no free file descriptor
 */
export async function exchange(
  server: DnsServer,
  query: Query,
  { timeout, openSockets, transport }: { timeout: number; openSockets: OpenSockets; transport: DnsTransport },
): Promise<Exchange> {
  const timedOut = Promise.withResolvers<"silent">();
  const timer = transport.after(timeout, () => timedOut.resolve("silent"));
  const lifetime = new Lifetime();
  const send = <T>(ask: (asked: Asked) => Promise<T>, sent: Query) => {
    openSockets.openUntil(lifetime);
    return Promise.race([ask({ server, query: sent, transport, lifetime }), timedOut.promise]);
  };
  try {
    const first = await send(askUdp, query);
    const known = { ...query, hasEdns: query.hasEdns && first !== "refuses EDNS" };
    const overUdp = first === "refuses EDNS" ? await send(askUdp, known) : first;
    if (overUdp !== "truncated" && overUdp !== "refuses EDNS") return overUdp;
    const overTcp = await send(askTcp, known).catch(unreachableOr);
    return typeof overTcp === "string" ? onlyTruncated(query, overTcp) : overTcp;
  } catch (error) {
    return unreachableOr(error);
  } finally {
    timer.close();
    lifetime.close();
  }
}

/** @throws the same error if it is a fault of this machine */
function unreachableOr(error: unknown): "unreachable" {
  if (UNREACHABLE.has((error as NodeJS.ErrnoException).code ?? "")) return "unreachable";
  throw error;
}

/** The server is alive: it has answered over UDP. */
function onlyTruncated({ question }: Query, overTcp: keyof typeof OVER_TCP): Lookup {
  const cause = `the answer over UDP was truncated, and TCP ${OVER_TCP[overTcp]}`;
  return { recordType: question.type, values: [], failure: "timeout", cause };
}

const OVER_TCP = {
  unreachable: "was refused",
  silent: "gave no answer in time",
  closed: "was closed without an answer",
};

const UNREACHABLE = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EHOSTDOWN",
  "ENETDOWN",
  "EADDRNOTAVAIL",
  "ETIMEDOUT",
]);

/** @property lifetime its end closes the socket */
interface Asked {
  server: DnsServer;
  query: Query;
  transport: DnsTransport;
  lifetime: Lifetime;
}

type OverUdp = Lookup | "truncated" | "refuses EDNS";

function askUdp({ server, query, transport, lifetime }: Asked): Promise<OverUdp> {
  const { promise, resolve, reject } = Promise.withResolvers<OverUdp>();
  const id = randomId();
  const data = (packet: Buffer) => {
    const answer = readAnswer(packet, { id, ...query });
    if (answer) resolve(answer);
  };
  lifetime.add(transport.udp(server, encodeQuestion(id, query), { data, end: () => {}, fail: reject }));
  return promise;
}

function askTcp({ server, query, transport, lifetime }: Asked): Promise<Lookup | "closed"> {
  const { promise, resolve, reject } = Promise.withResolvers<Lookup | "closed">();
  const malformed: Lookup = { recordType: query.question.type, values: [], failure: "malformed" };
  const id = randomId();
  const parts: Buffer[] = [];
  let [received, end] = [0, 2];
  const data = (bytes: Buffer) => {
    parts.push(bytes);
    received += bytes.length;
    // Joined once for the length and once for the message: a server may send it in single bytes.
    if (received < end) return;
    const read = Buffer.concat(parts);
    end = 2 + read.readUInt16BE(0);
    if (received < end) return;
    const answer = readAnswer(read.subarray(2, end), { id, ...query });
    resolve(typeof answer === "object" ? answer : malformed);
  };
  const message = withLength(encodeQuestion(id, query));
  lifetime.add(
    transport.tcp(server, message, {
      data,
      end: () => resolve(received === 0 ? "closed" : malformed),
      fail: reject,
    }),
  );
  return promise;
}

/** Over TCP, two bytes with its length precede each message. */
function withLength(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

function randomId(): number {
  return crypto.getRandomValues(new Uint16Array(1))[0] ?? 0;
}

/** Called while a socket is open. */
export interface Received {
  /** A datagram over UDP; over TCP some bytes, split anywhere. */
  data(bytes: Buffer): void;
  /** The server closed the connection. */
  end(): void;
  /** @param error of the socket */
  fail(error: Error): void;
}

/** Sends one message to a DNS server on a new socket, until that is closed. */
export type Send = (server: DnsServer, message: Buffer, received: Received) => Closable;

/** The sockets and timers of DNS queries. */
export interface DnsTransport {
  udp: Send;
  tcp: Send;
  /** @param ms delay */
  after(ms: number, expire: () => void): Closable;
}

export const systemTransport: DnsTransport = {
  udp({ address, port }, message, { data, fail }) {
    const socket = createSocket(isIPv6(address.replace(/%.*/, "")) ? "udp6" : "udp4");
    let isClosed = false;
    socket.on("error", fail);
    socket.on("message", data);
    // On a connected UDP socket, the system drops datagrams of other senders and reports that nothing listens.
    socket.once("connect", () => {
      if (!isClosed) socket.send(message);
    });
    socket.connect(port, address);
    return {
      close() {
        isClosed = true;
        socket.close();
      },
    };
  },

  tcp({ address, port }, message, { data, end, fail }) {
    const socket = openTcp({ host: address, port });
    socket.on("error", fail);
    socket.on("data", data);
    socket.once("close", end);
    socket.once("connect", () => socket.write(message));
    return { close: () => void socket.destroy() };
  },

  after(ms, expire) {
    const timer = setTimeout(expire, ms);
    return { close: () => clearTimeout(timer) };
  },
};
