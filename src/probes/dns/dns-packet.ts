import { type Answer, type DecodedPacket, decode, encode, RECURSION_DESIRED } from "dns-packet";
import type { Lookup, LookupFailure } from "../../domain/checks/dns-lookup.ts";
import type { RecordType } from "../../domain/checks/dns-record.ts";

/** One DNS query. */
export interface Question {
  /** ASCII, without a trailing dot. */
  name: string;
  type: RecordType;
}

const HEADER_LENGTH = 12;
const TRUNCATED = 0x0200;
const LONGEST_NAME = 253;

/** The packet of a query. It has no EDNS: answers of more than 512 bytes are truncated over UDP. */
export function encodeQuestion(id: number, { name, type }: Question): Buffer {
  return encode({ type: "query", id, flags: RECURSION_DESIRED, questions: [{ name, type, class: "IN" }] });
}

/** Whether a query can contain the name. The encoder would write a malformed packet otherwise. */
export function isAskable(name: string): boolean {
  const labels = name.split(".");
  return name.length <= LONGEST_NAME && labels.every((label) => label !== "" && label.length < 64);
}

/** Reads a packet. @returns undefined if it does not answer this query, `truncated` if TCP is needed */
export function readAnswer(
  packet: Buffer,
  { id, question }: { id: number; question: Question },
): Lookup | "truncated" | undefined {
  if (packet.length < HEADER_LENGTH || packet.readUInt16BE(0) !== id) return undefined;
  const flags = packet.readUInt16BE(2);
  // A truncated packet may end within a record.
  if (flags & TRUNCATED) return "truncated";
  const decoded = decodeSafely(packet);
  if (!decoded) return failed(question, "malformed");
  return answers(decoded, question) ? judge(decoded, flags & 0x0f, question) : undefined;
}

function decodeSafely(packet: Buffer): DecodedPacket | undefined {
  try {
    return decode(packet);
  } catch {
    return undefined;
  }
}

function answers({ type, questions = [] }: DecodedPacket, question: Question): boolean {
  const [asked] = questions;
  // Some servers omit the question if they refuse it.
  if (type !== "response" || !asked) return type === "response";
  return asked.type === question.type && sameName(asked.name, question.name);
}

const failures: Record<number, LookupFailure> = { 2: "servfail", 3: "nxdomain", 5: "refused" };

function judge({ answers = [] }: DecodedPacket, code: number, question: Question): Lookup {
  if (code !== 0) return failed(question, failures[code] ?? "error");
  const owner = question.type === "CNAME" ? question.name : endOfChain(question.name, answers);
  const values = answers
    .filter(({ type, name }) => type === question.type && sameName(name, owner))
    .map(textOf);
  if (values.length === 0) return failed(question, "no_data");
  return { recordType: question.type, values: [...new Set(values)], failure: null };
}

/** The last name of the CNAME chain of an answer, in lower case. */
function endOfChain(name: string, answers: Answer[]): string {
  const aliases = new Map<string, string>();
  // If one name has several CNAME records, the first counts.
  for (const answer of answers.toReversed()) {
    if (answer.type === "CNAME") aliases.set(canonical(answer.name), canonical(answer.data));
  }
  let end = canonical(name);
  // A chain may be a loop.
  for (let steps = 0; steps < aliases.size; steps++) end = aliases.get(end) ?? end;
  return end;
}

/** A record in zone file notation, names in lower case. The strings of one TXT record are joined. */
function textOf(record: Answer): string {
  switch (record.type) {
    case "MX":
      return `${record.data.preference} ${canonical(record.data.exchange)}`;
    case "SRV": {
      const { priority, weight, port, target } = record.data;
      return `${priority} ${weight} ${port} ${canonical(target)}`;
    }
    case "SOA": {
      const { mname, rname, serial, refresh, retry, expire, minimum } = record.data;
      return [canonical(mname), canonical(rname), serial, refresh, retry, expire, minimum].join(" ");
    }
    case "CAA":
      return `${record.data.flags} ${record.data.tag} "${record.data.value}"`;
    case "TXT":
      return Buffer.concat([record.data].flat().map((part) => Buffer.from(part as Buffer))).toString();
    case "A":
    case "AAAA":
    case "CNAME":
    case "NS":
    case "PTR":
      return canonical(record.data);
    default:
      throw new Error(`unexpected record type: ${record.type}`);
  }
}

function failed({ type }: Question, failure: LookupFailure): Lookup {
  return { recordType: type, values: [], failure };
}

function sameName(a: string, b: string): boolean {
  return canonical(a) === canonical(b);
}

function canonical(name: string): string {
  return name.toLowerCase().replace(/(?<=.)\.$/, "");
}
