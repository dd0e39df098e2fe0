import type { LookupFailure } from "../../../src/domain/checks/observation.ts";
import type { Question } from "../../../src/probes/dns/dns-packet.ts";
import type { Cuts } from "../bytes/pieces.ts";

/** A message that the reader reads alone, or a whole lookup. */
export type DnsInput = ({ kind: "message" } & MessageInput) | ({ kind: "lookup" } & LookupInput);

export interface MessageInput {
  question: Question;
  hasEdns: boolean;
  message: Message;
}

/** One lookup: the question, and what each server does with the queries that it gets. */
export interface LookupInput {
  question: Question;
  /** Whether a DNS monitor names the servers. */
  isTarget: boolean;
  servers: Server[];
}

export interface Server {
  /** Its answers to UDP queries for the name, one after another; it is silent afterwards. */
  udp: Datagrams[];
  /** To queries over TCP. */
  tcp: Stream[];
  /** Whether it answers a query for the root, so that it is alive. */
  isAlive: boolean;
}

/** Datagrams that follow one query; `refused` if nothing listens. */
export type Datagrams = Datagram[] | "refused";

/** @property isForeign whether it has another ID than the query */
export interface Datagram {
  message: Message;
  isForeign: boolean;
}

/** A message on a TCP connection. @property length what the server says that its length is */
export interface Stream {
  message: Message;
  length: number;
  cuts: Cuts;
  end: "close" | "reset" | "open";
}

/** A message with the ID 0, one character for each byte. @property truth null if it was changed at random */
export interface Message {
  bytes: string;
  truth: Truth | null;
}

/** The meaning of a message for the query, known because it was composed from it. */
export type Truth =
  | { values: string[] }
  | { failure: LookupFailure }
  | "truncated"
  | "refuses EDNS"
  /** It does not answer the query. */
  | "ignored";
