import { shorter } from "../bytes/mutate.ts";
import { simplerCuts } from "../bytes/pieces.ts";
import type { Protocol } from "../protocol.ts";
import { type DnsRecording, dnsRecordings } from "../recordings/recording.ts";
import { changed, drawLookup, drawSent } from "./draw-lookup.ts";
import { drawQuestion } from "./draw-message.ts";
import type { DnsInput, LookupInput, Message, Server } from "./input.ts";
import { judgeLookup } from "./judge-lookup.ts";
import { judgeMessage } from "./judge-message.ts";

/** A whole lookup takes several times as long as one message. */
const SHARE_OF_LOOKUPS = 0.2;

/** Share of the messages that are read alone. */
const SHARE_OF_RECORDINGS = 0.1;

/** DNS answers, and lookups over UDP and TCP without sockets. */
export const dns: Protocol<DnsInput> = {
  outcomes: [
    ...[
      "values",
      "ignored",
      "truncated",
      "refuses EDNS",
      "nxdomain",
      "no_data",
      "servfail",
      "refused",
      "error",
      "malformed",
    ],
    ...["values", "nxdomain", "no_data", "servfail", "refused", "error", "malformed", "timeout"].map(
      (outcome) => `lookup ${outcome}`,
    ),
    "unreachable",
  ],
  draw(draw) {
    if (draw.chance(SHARE_OF_LOOKUPS)) return { kind: "lookup", ...drawLookup(draw) };
    if (draw.chance(SHARE_OF_RECORDINGS)) {
      const { question, hasEdns, message } = draw.pick(dnsRecordings as [DnsRecording]);
      return { kind: "message", question, hasEdns, message: changed(draw, message) };
    }
    const [question, hasEdns] = [drawQuestion(draw), draw.chance(0.5)];
    return { kind: "message", question, hasEdns, message: drawSent(draw, question, { hasEdns }) };
  },
  judge: async (input) => (input.kind === "lookup" ? judgeLookup(input) : judgeMessage(input)),
  *simpler(input) {
    if (input.kind === "message") {
      for (const message of simplerMessages(input.message)) yield { ...input, message };
    } else for (const lookup of simplerLookups(input)) yield { kind: "lookup", ...lookup };
  },
};

/** Shorter bytes would mean something else than their truth. */
function* simplerMessages({ bytes, truth }: Message): Iterable<Message> {
  if (truth === null) for (const fewer of shorter(bytes)) yield { bytes: fewer, truth };
}

function* simplerLookups(input: LookupInput): Iterable<LookupInput> {
  if (input.isTarget) yield { ...input, isTarget: false };
  for (const [at, server] of input.servers.entries()) {
    if (input.servers.length > 1) yield { ...input, servers: input.servers.toSpliced(at, 1) };
    for (const one of simplerServers(server)) yield { ...input, servers: input.servers.with(at, one) };
  }
}

function* simplerServers(server: Server): Iterable<Server> {
  if (server.isAlive) yield { ...server, isAlive: false };
  for (const [at, datagrams] of server.udp.entries()) {
    yield { ...server, udp: server.udp.toSpliced(at, 1) };
    if (datagrams === "refused") continue;
    for (const [place, datagram] of datagrams.entries()) {
      yield { ...server, udp: server.udp.with(at, datagrams.toSpliced(place, 1)) };
      for (const message of simplerMessages(datagram.message))
        yield { ...server, udp: server.udp.with(at, datagrams.with(place, { ...datagram, message })) };
    }
  }
  for (const [at, stream] of server.tcp.entries()) {
    yield { ...server, tcp: server.tcp.toSpliced(at, 1) };
    for (const cuts of simplerCuts(stream.cuts))
      yield { ...server, tcp: server.tcp.with(at, { ...stream, cuts }) };
    for (const message of simplerMessages(stream.message))
      yield { ...server, tcp: server.tcp.with(at, { ...stream, message }) };
  }
}
