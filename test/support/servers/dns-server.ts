import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { createServer, type Server, type Socket } from "node:net";
import { type Answer, type DecodedPacket, decode, encode, type Question } from "dns-packet";
import type { DnsServer } from "../../../src/domain/network/dns-server.ts";

/** How the server answers a query: with records, a code, or one of the faults. */
export type Reply =
  | Answer[]
  | { code: "FORMERR" | "SERVFAIL" | "NXDOMAIN" | "REFUSED" | "NOTIMP" }
  | "silence"
  | "garbage"
  | "wrong id"
  | "wrong question"
  | { truncated: Answer[] }
  | { changed: Answer[]; by: (packet: Buffer) => Buffer }
  | { late: Reply; ms: number }
  | { udp: Reply; tcp: Reply };

/** @param times how often the question was asked @param hasEdns whether the query allows long answers */
export type Replier = (times: number, query: { hasEdns: boolean }) => Reply;

const CODES = { FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 };
const TRUNCATED = 0x0200;

export interface TestDnsServer extends DnsServer, Disposable {
  /** The queries so far, as `A example.com` or `A example.com over TCP`. */
  queries: string[];
}

/**
 * A real DNS server, over UDP and TCP. Other names do not exist; the root is always answered.
 *
 * @param replies may change later
 * @param at.port 0 for any free port
 */
export async function startDnsServer(
  replies: Record<string, Reply | Replier>,
  {
    host = "127.0.0.1",
    port: wanted = 0,
    overTcp = "answers",
  }: { host?: string; port?: number; overTcp?: "answers" | "refuses" | "ends" } = {},
): Promise<TestDnsServer> {
  const queries: string[] = [];
  const connections = new Set<Socket>();
  let isClosed = false;
  const replyTo = ({ type, name }: Question, query: DecodedPacket, transport: string): Reply => {
    const question = `${type} ${name}`;
    queries.push(`${question}${transport}`);
    const reply = replies[question] ?? replies[name] ?? (name === "." ? [] : { code: "NXDOMAIN" });
    if (typeof reply !== "function") return reply;
    const hasEdns = query.additionals?.some((record) => record.type === "OPT") ?? false;
    return reply(queries.filter((one) => one === question).length, { hasEdns });
  };

  const tcp = createServer((socket) => {
    connections.add(socket);
    if (overTcp === "ends") socket.end();
    socket.on("error", () => socket.destroy());
    socket.on("data", (data: Buffer) => {
      const query = decode(data.subarray(2));
      for (const question of query.questions ?? []) {
        const reply = replyTo(question, query, " over TCP");
        answerTo({ query, question, overTcp: true }, reply, (answer) => sendInPieces(socket, answer));
      }
    });
  });

  const { udp, port } = await listenOnBoth(tcp, host, wanted);
  if (overTcp === "refuses") tcp.close();
  udp.on("message", (packet, from) => {
    const query = decode(packet);
    for (const question of query.questions ?? []) {
      const reply = replyTo(question, query, "");
      answerTo({ query, question, overTcp: false }, reply, (answer) => {
        if (!isClosed) udp.send(answer, from.port, from.address);
      });
    }
  });
  return {
    address: host,
    port,
    queries,
    [Symbol.dispose]() {
      isClosed = true;
      udp.close();
      tcp.close();
      for (const connection of connections) connection.destroy();
    },
  };
}

/** A port that is free for UDP may be in use for TCP: then it tries another one. */
async function listenOnBoth(
  tcp: Server,
  host: string,
  wanted: number,
): Promise<{ udp: UdpSocket; port: number }> {
  const udp = createSocket("udp4");
  const port = await new Promise<number>((done) => udp.bind(wanted, host, () => done(udp.address().port)));
  // An answer to a client that was killed.
  udp.on("error", () => {});
  const { promise, resolve } = Promise.withResolvers<boolean>();
  tcp.once("error", () => resolve(false));
  tcp.listen(port, host, () => resolve(true));
  if (await promise) return { udp, port };
  udp.close();
  return listenOnBoth(tcp, host, wanted);
}

interface Asked {
  query: DecodedPacket;
  question: Question;
  overTcp: boolean;
}

function answerTo(asked: Asked, reply: Reply, send: (answer: Buffer) => void): void {
  if (typeof reply === "object" && "late" in reply) {
    setTimeout(() => answerTo(asked, reply.late, send), reply.ms);
  } else if (typeof reply === "object" && "udp" in reply) {
    answerTo(asked, asked.overTcp ? reply.tcp : reply.udp, send);
  } else {
    const answer = packetOf(asked, reply);
    if (answer) send(answer);
  }
}

function packetOf(
  { query: { id = 0 }, question, overTcp }: Asked,
  reply: Exclude<Reply, { late: Reply } | { udp: Reply }>,
): Buffer | undefined {
  const response = (answers: Answer[], flags = 0) =>
    encode({ type: "response", id, flags, questions: [question], answers });
  if (reply === "silence") return undefined;
  if (reply === "garbage") return Buffer.concat([response([]).subarray(0, 4), Buffer.alloc(20, 0xff)]);
  if (reply === "wrong id") return encode({ type: "response", id: id ^ 1, questions: [question] });
  if (reply === "wrong question") {
    return encode({ type: "response", id, questions: [{ ...question, name: "other.test" }] });
  }
  if (Array.isArray(reply)) return response(reply);
  if ("changed" in reply) return reply.by(response(reply.changed));
  if ("code" in reply) return response([], CODES[reply.code]);
  return overTcp ? response(reply.truncated) : response([], TRUNCATED).subarray(0, -3);
}

/** Sends the length and the message in two segments, as a slow network would. */
function sendInPieces(socket: Socket, answer: Buffer): void {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(answer.length);
  const message = Buffer.concat([length, answer]);
  socket.write(message.subarray(0, 1));
  setTimeout(() => socket.write(message.subarray(1)), 5);
}
