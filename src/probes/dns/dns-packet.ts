import { encode, RECURSION_DESIRED } from "dns-packet";
import type { Lookup, LookupFailure, RecordType } from "../../domain/checks/observation.ts";
import { MalformedMessage, MessageReader } from "./message-reader.ts";

/** One DNS query. */
export interface Question {
  /** ASCII, without a trailing dot. */
  name: string;
  type: RecordType;
}

/** A question as it is sent. */
export interface Query {
  question: Question;
  /** Whether answers of more than 512 bytes over UDP are allowed (RFC 6891), which some servers do not understand. */
  hasEdns: boolean;
}

const HEADER_LENGTH = 12;
const RESPONSE = 0x8000;
const TRUNCATED = 0x0200;
const FORMERR = 1;
const MAX_NAME = 253;

/** The size of answers that arrive without fragments, so that no network drops them; bytes (RFC 9715). */
const UDP_SIZE = 1232;

/** The packet of a query. */
export function encodeQuestion(id: number, { question, hasEdns }: Query): Buffer {
  const questions = [{ ...question, class: "IN" as const }];
  const packet = encode({ type: "query", id, flags: RECURSION_DESIRED, questions });
  if (!hasEdns) return packet;
  packet.writeUInt16BE(1, 10);
  return Buffer.concat([packet, EDNS]);
}

/** An OPT record: the root, its type, the size, an extended code, a version and flags of 0, and no options. */
const EDNS = Buffer.from([0, 0, 41, UDP_SIZE >> 8, UDP_SIZE & 0xff, 0, 0, 0, 0, 0, 0]);

/** Whether a query can contain the name. The encoder would write a malformed packet otherwise. */
export function isAskable(name: string): boolean {
  const labels = name.split(".");
  return name.length <= MAX_NAME && labels.every((label) => label !== "" && label.length < 64);
}

/**
 * Reads a packet.
 *
 * @returns undefined if it does not answer this query, `truncated` if TCP is needed, `refuses EDNS` if the query may be
 *   understood without it
 */
export function readAnswer(
  packet: Buffer,
  { id, question, hasEdns }: Query & { id: number },
): Lookup | "truncated" | "refuses EDNS" | undefined {
  if (packet.length < HEADER_LENGTH || packet.readUInt16BE(0) !== id) return undefined;
  const flags = packet.readUInt16BE(2);
  if (!(flags & RESPONSE)) return undefined;
  // A truncated packet may end within a record.
  if (flags & TRUNCATED) return "truncated";
  if (hasEdns && (flags & 0x0f) === FORMERR) return "refuses EDNS";
  try {
    const message = readMessage(packet, question);
    return message && judge(message, flags & 0x0f, question);
  } catch (error) {
    if (error instanceof MalformedMessage) return failed(question, "malformed");
    throw error;
  }
}

/** @property name in lower case @property text see `recordText` */
interface Answer {
  name: string;
  type: number;
  text: string;
}

/**
 * Reads all records within their bounds, and the values of those that may answer a question.
 *
 * @returns undefined if the message is about another question
 * @throws MalformedMessage
 */
function readMessage(packet: Buffer, question: Question): Answer[] | undefined {
  const reader = new MessageReader(packet);
  reader.bytes(4);
  const [questions, answers] = [reader.uint16(), reader.uint16()];
  const others = reader.uint16() + reader.uint16();
  for (let at = 0; at < questions; at++) {
    const [name, type] = [reader.name(), reader.uint16()];
    reader.uint16();
    // Some servers omit the question if they refuse it.
    if (at === 0 && (type !== typeNumbers[question.type] || !isSameName(name, question.name)))
      return undefined;
  }
  const records = Array.from({ length: answers }, () => readRecord(reader, question.type));
  for (let at = 0; at < others; at++) readRecord(reader);
  return records.filter((record) => record !== undefined);
}

const INTERNET = 1;

/** @param wanted the type whose values are read, beside aliases */
function readRecord(reader: MessageReader, wanted?: RecordType): Answer | undefined {
  const name = reader.name().toLowerCase();
  const [type, group] = [reader.uint16(), reader.uint16()];
  reader.bytes(4);
  const data = reader.part(reader.uint16());
  const read = wanted && [wanted, "CNAME" as const].find((one) => typeNumbers[one] === type);
  return read && group === INTERNET ? { name, type, text: recordText(read, data) } : undefined;
}

const failures: Record<number, LookupFailure> = { 2: "servfail", 3: "nxdomain", 5: "refused" };

function judge(answers: Answer[], code: number, question: Question): Lookup {
  const owner = question.type === "CNAME" ? canonical(question.name) : endOfChain(question.name, answers);
  const failure = failures[code] ?? "error";
  if (code !== 0)
    return failure === "nxdomain" ? missing(question, failure, owner) : failed(question, failure);
  const values = answers
    .filter(({ type, name }) => type === typeNumbers[question.type] && name === owner)
    .map(({ text }) => text);
  if (values.length === 0) return missing(question, "no_data", owner);
  return { recordType: question.type, values: [...new Set(values)], failure: null };
}

/** The last name of the CNAME chain of an answer, in lower case. */
function endOfChain(name: string, answers: Answer[]): string {
  const aliases = new Map<string, string>();
  // If one name has several CNAME records, the first counts.
  for (const answer of answers.toReversed()) {
    if (answer.type === typeNumbers.CNAME) aliases.set(answer.name, answer.text);
  }
  let end = canonical(name);
  // A chain may be a loop.
  for (let steps = 0; steps < aliases.size; steps++) end = aliases.get(end) ?? end;
  return end;
}

/** A name that is printed as it is. */
const PRINTABLE = /^[!-~]+$/;

/** @param owner the name that does not exist or has no data: the last one of the chain of aliases */
function missing(question: Question, failure: LookupFailure, owner: string): Lookup {
  const lookup = failed(question, failure);
  const isAlias = owner !== canonical(question.name) && PRINTABLE.test(owner);
  return isAlias ? { ...lookup, alias: owner } : lookup;
}

function failed({ type }: Question, failure: LookupFailure): Lookup & { failure: LookupFailure } {
  return { recordType: type, values: [], failure };
}

function isSameName(a: string, b: string): boolean {
  return canonical(a) === canonical(b);
}

function canonical(name: string): string {
  return name.toLowerCase().replace(/(?<=.)\.$/, "");
}

/** The numbers of the record types (IANA, Resource Record TYPEs). */
const typeNumbers: Record<RecordType, number> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  CAA: 257,
};

/**
 * A record in zone file notation, names in lower case. The strings of one TXT record are joined.
 *
 * @param data exactly its data
 * @throws MalformedMessage if the data is shorter or longer than a record of this type
 */
function recordText(type: RecordType, data: MessageReader): string {
  const text = readers[type](data);
  if (!data.isAtEnd) throw new MalformedMessage("a record is too long");
  return text;
}

const readers: Record<RecordType, (data: MessageReader) => string> = {
  A: (data) => data.bytes(4).join("."),
  AAAA: (data) => ipv6Text(data),
  CNAME: nameText,
  NS: nameText,
  PTR: nameText,
  MX: (data) => `${data.uint16()} ${nameText(data)}`,
  SRV: (data) => `${data.uint16()} ${data.uint16()} ${data.uint16()} ${nameText(data)}`,
  SOA: (data) => {
    const names = [nameText(data), data.name({ isMailbox: true }).toLowerCase()];
    return [...names, ...Array.from({ length: 5 }, () => data.uint32())].join(" ");
  },
  TXT(data) {
    const strings = [data.string()];
    while (!data.isAtEnd) strings.push(data.string());
    return Buffer.concat(strings).toString();
  },
  CAA: (data) => `${data.uint8()} ${data.string()} "${data.rest()}"`,
};

function nameText(data: MessageReader): string {
  return data.name().toLowerCase();
}

/** In its shortest form. */
function ipv6Text(data: MessageReader): string {
  const groups = Array.from({ length: 8 }, () => data.uint16().toString(16));
  return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
}

/** The names at the loopback addresses, by record type. */
const LOOPBACK = new Map([
  ["A", "127.0.0.1"],
  ["AAAA", "::1"],
]);

/**
 * The answer for a name about which nobody is asked (RFC 6761): nothing exists under `.invalid`, and `localhost` with all
 * names under it is loopback.
 *
 * @returns undefined for all other names
 */
export function reservedAnswer({ name, type }: Question): Lookup | undefined {
  const top = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  if (top === "invalid") return { recordType: type, values: [], failure: "nxdomain" };
  if (top !== "localhost") return undefined;
  const address = LOOPBACK.get(type);
  return address
    ? { recordType: type, values: [address], failure: null }
    : { recordType: type, values: [], failure: "no_data" };
}
