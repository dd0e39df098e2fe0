import { createSocket, type Socket } from "node:dgram";
import { isIPv6, connect as openTcp } from "node:net";
import type { Lookup } from "../../domain/checks/dns-lookup.ts";
import type { DnsServer } from "../../domain/network/dns-server.ts";
import type { OpenSockets } from "../connections/open-sockets.ts";
import { encodeQuestion, type Question, readAnswer } from "./dns-packet.ts";

/** The result of one query to one server. `unreachable`: the network reports that nothing listens there. */
export type Exchange = Lookup | "silent" | "unreachable";

/**
 * Sends one query to one server over UDP, and again over TCP if the answer was truncated. Every query has its own
 * source port and a random ID. Packets that match neither are ignored, so that nobody can forge an answer.
 *
 * @param timeout milliseconds
 * @throws if an own fault prevents the query, for example no free file descriptor
 */
export async function exchange(
  server: DnsServer,
  question: Question,
  { timeout, openSockets }: { timeout: number; openSockets: OpenSockets },
): Promise<Exchange> {
  const timedOut = Promise.withResolvers<"silent">();
  const timer = setTimeout(timedOut.resolve, timeout, "silent");
  const closing = new AbortController();
  const { signal } = closing;
  try {
    openSockets.openUntil(signal);
    const overUdp = await Promise.race([askUdp(server, question, signal), timedOut.promise]);
    if (overUdp !== "truncated") return overUdp;
    openSockets.openUntil(signal);
    return await Promise.race([askTcp(server, question, signal), timedOut.promise]);
  } catch (error) {
    if (UNREACHABLE.has((error as NodeJS.ErrnoException).code ?? "")) return "unreachable";
    throw error;
  } finally {
    clearTimeout(timer);
    closing.abort();
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

function askUdp(
  { address, port }: DnsServer,
  question: Question,
  signal: AbortSignal,
): Promise<Lookup | "truncated"> {
  const { promise, resolve, reject } = Promise.withResolvers<Lookup | "truncated">();
  const socket: Socket = createSocket(isIPv6(address.replace(/%.*/, "")) ? "udp6" : "udp4");
  const id = randomId();
  socket.on("error", reject);
  socket.on("message", (packet) => {
    const answer = readAnswer(packet, { id, question });
    if (answer) resolve(answer);
  });
  // On a connected UDP socket, the system drops datagrams of other senders and reports that nothing listens.
  socket.once("connect", () => {
    if (!signal.aborted) socket.send(encodeQuestion(id, question));
  });
  socket.connect(port, address);
  signal.addEventListener("abort", () => socket.close(), { once: true });
  return promise;
}

function askTcp({ address, port }: DnsServer, question: Question, signal: AbortSignal): Promise<Lookup> {
  const { promise, resolve, reject } = Promise.withResolvers<Lookup>();
  const malformed: Lookup = { recordType: question.type, values: [], failure: "malformed" };
  const socket = openTcp({ host: address, port });
  const id = randomId();
  let read = Buffer.alloc(0);
  socket.on("error", reject);
  socket.once("close", () => resolve(malformed));
  socket.once("connect", () => socket.write(withLength(encodeQuestion(id, question))));
  socket.on("data", (chunk: Buffer) => {
    read = Buffer.concat([read, chunk]);
    if (read.length < 2 || read.length < 2 + read.readUInt16BE(0)) return;
    const answer = readAnswer(read.subarray(2, 2 + read.readUInt16BE(0)), { id, question });
    resolve(answer === undefined || answer === "truncated" ? malformed : answer);
  });
  signal.addEventListener("abort", () => socket.destroy(), { once: true });
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
