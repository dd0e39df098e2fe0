import { createSocket, type Socket } from "node:dgram";
import { isIPv6, connect as openTcp } from "node:net";
import type { Lookup } from "../domain/checks/dns-lookup.ts";
import type { DnsServer } from "../domain/network/dns-server.ts";
import { encodeQuestion, type Question, readAnswer } from "./dns-packet.ts";
import { countSocketUntil } from "./open-sockets.ts";

/** What came of one question to one server. `unreachable`: the network says that nobody listens there. */
export type Exchange = Lookup | "silent" | "unreachable";

/**
 * Asks one server once, over UDP, and over TCP where the answer is too long for that. Every question has a port of its
 * own and a random number, and what doesn't fit them is passed over, so that nobody else can answer for the server.
 *
 * @throws where a fault of ours keeps the question from being sent, such as a full table of file descriptors
 */
export async function exchange(server: DnsServer, question: Question, timeout: number): Promise<Exchange> {
  const end = Promise.withResolvers<"silent">();
  const timer = setTimeout(end.resolve, timeout, "silent");
  const closing = new AbortController();
  try {
    const overUdp = await Promise.race([askUdp(server, question, closing.signal), end.promise]);
    if (overUdp !== "truncated") return overUdp;
    return await Promise.race([askTcp(server, question, closing.signal), end.promise]);
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
  countSocketUntil(signal);
  const socket: Socket = createSocket(isIPv6(address.replace(/%.*/, "")) ? "udp6" : "udp4");
  const id = randomId();
  socket.on("error", reject);
  socket.on("message", (packet) => {
    const answer = readAnswer(packet, id, question);
    if (answer) resolve(answer);
  });
  // Connected, so that the system passes over datagrams of others and tells when nobody listens.
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
  countSocketUntil(signal);
  const socket = openTcp({ host: address, port });
  const id = randomId();
  let read = Buffer.alloc(0);
  socket.on("error", reject);
  socket.once("close", () => resolve(malformed));
  socket.once("connect", () => socket.write(withLength(encodeQuestion(id, question))));
  socket.on("data", (chunk: Buffer) => {
    read = Buffer.concat([read, chunk]);
    if (read.length < 2 || read.length < 2 + read.readUInt16BE(0)) return;
    const answer = readAnswer(read.subarray(2, 2 + read.readUInt16BE(0)), id, question);
    resolve(answer === undefined || answer === "truncated" ? malformed : answer);
  });
  signal.addEventListener("abort", () => socket.destroy(), { once: true });
  return promise;
}

/** Over TCP the length of a message comes before it, in two bytes. */
function withLength(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

function randomId(): number {
  return crypto.getRandomValues(new Uint16Array(1))[0] ?? 0;
}
