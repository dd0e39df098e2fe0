import { createSocket, type Socket } from "node:dgram";
import { isIPv6, connect as openTcp } from "node:net";
import type { Lookup } from "../../domain/checks/dns-record.ts";
import type { DnsServer } from "../../domain/network/dns-server.ts";
import type { OpenSockets } from "../connections/open-sockets.ts";
import { Lifetime } from "../lifetime.ts";
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
  { timeout, openSockets }: { timeout: number; openSockets: OpenSockets },
): Promise<Exchange> {
  const timedOut = Promise.withResolvers<"silent">();
  const timer = setTimeout(timedOut.resolve, timeout, "silent");
  const lifetime = new Lifetime();
  const send = <T>(ask: (server: DnsServer, query: Query, lifetime: Lifetime) => Promise<T>, sent: Query) => {
    openSockets.openUntil(lifetime);
    return Promise.race([ask(server, sent, lifetime), timedOut.promise]);
  };
  try {
    const first = await send(askUdp, query);
    const known = { ...query, hasEdns: query.hasEdns && first !== "refuses EDNS" };
    const overUdp = first === "refuses EDNS" ? await send(askUdp, known) : first;
    if (overUdp !== "truncated" && overUdp !== "refuses EDNS") return overUdp;
    return await send(askTcp, known);
  } catch (error) {
    if (UNREACHABLE.has((error as NodeJS.ErrnoException).code ?? "")) return "unreachable";
    throw error;
  } finally {
    clearTimeout(timer);
    lifetime.close();
  }
}

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

type OverUdp = Lookup | "truncated" | "refuses EDNS";

function askUdp({ address, port }: DnsServer, query: Query, lifetime: Lifetime): Promise<OverUdp> {
  const { promise, resolve, reject } = Promise.withResolvers<OverUdp>();
  const socket: Socket = createSocket(isIPv6(address.replace(/%.*/, "")) ? "udp6" : "udp4");
  const id = randomId();
  socket.on("error", reject);
  socket.on("message", (packet) => {
    const answer = readAnswer(packet, { id, ...query });
    if (answer) resolve(answer);
  });
  // On a connected UDP socket, the system drops datagrams of other senders and reports that nothing listens.
  socket.once("connect", () => {
    if (!lifetime.isOver) socket.send(encodeQuestion(id, query));
  });
  socket.connect(port, address);
  lifetime.add({ close: () => void socket.close() });
  return promise;
}

function askTcp({ address, port }: DnsServer, query: Query, lifetime: Lifetime): Promise<Lookup> {
  const { promise, resolve, reject } = Promise.withResolvers<Lookup>();
  const malformed: Lookup = { recordType: query.question.type, values: [], failure: "malformed" };
  const socket = openTcp({ host: address, port });
  const id = randomId();
  let read = Buffer.alloc(0);
  socket.on("error", reject);
  socket.once("close", () => resolve(malformed));
  socket.once("connect", () => socket.write(withLength(encodeQuestion(id, query))));
  socket.on("data", (chunk: Buffer) => {
    read = Buffer.concat([read, chunk]);
    if (read.length < 2 || read.length < 2 + read.readUInt16BE(0)) return;
    const answer = readAnswer(read.subarray(2, 2 + read.readUInt16BE(0)), { id, ...query });
    resolve(typeof answer === "object" ? answer : malformed);
  });
  lifetime.add({ close: () => void socket.destroy() });
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
