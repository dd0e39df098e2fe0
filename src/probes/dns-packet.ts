import { type Answer, type DecodedPacket, decode, encode, RECURSION_DESIRED } from "dns-packet";
import type { Lookup, LookupFailure } from "../domain/checks/dns-lookup.ts";
import type { RecordType } from "../domain/checks/dns-record.ts";

/** What is asked of the DNS. */
export interface Question {
  /** Without a dot at its end; in ASCII. */
  name: string;
  type: RecordType;
}

const HEADER_LENGTH = 12;
const TRUNCATED = 0x0200;
const LONGEST_NAME = 253;

/** A question as it goes over UDP. Without EDNS: an answer over 512 bytes is asked for again over TCP. */
export function encodeQuestion(id: number, { name, type }: Question): Buffer {
  return encode({ type: "query", id, flags: RECURSION_DESIRED, questions: [{ name, type, class: "IN" }] });
}

/** Whether a name can stand in a question at all; the encoder would make a broken one of it. */
export function isAskable(name: string): boolean {
  const labels = name.split(".");
  return name.length <= LONGEST_NAME && labels.every((label) => label !== "" && label.length < 64);
}

/** What a packet says: nothing where it is no answer to this question, `truncated` where TCP would tell more. */
export function readAnswer(packet: Buffer, id: number, question: Question): Lookup | "truncated" | undefined {
  if (packet.length < HEADER_LENGTH || packet.readUInt16BE(0) !== id) return undefined;
  const flags = packet.readUInt16BE(2);
  // A packet that was cut off need not end at the end of a record.
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
  // Some servers leave the question out of a refusal.
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

/** The name to which the CNAME records of an answer lead, in small letters. */
function endOfChain(name: string, answers: Answer[]): string {
  const aliases = new Map<string, string>();
  // Of several for one name, the first counts.
  for (const answer of answers.toReversed()) {
    if (answer.type === "CNAME") aliases.set(plain(answer.name), plain(answer.data));
  }
  let end = plain(name);
  // A chain may go round in a circle.
  for (let steps = 0; steps < aliases.size; steps++) end = aliases.get(end) ?? end;
  return end;
}

/** A record as zone files write it, names in small letters; the texts of one TXT record are joined. */
function textOf(record: Answer): string {
  switch (record.type) {
    case "MX":
      return `${record.data.preference} ${plain(record.data.exchange)}`;
    case "SRV": {
      const { priority, weight, port, target } = record.data;
      return `${priority} ${weight} ${port} ${plain(target)}`;
    }
    case "SOA": {
      const { mname, rname, serial, refresh, retry, expire, minimum } = record.data;
      return [plain(mname), plain(rname), serial, refresh, retry, expire, minimum].join(" ");
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
      return plain(record.data);
    default:
      throw new Error(`no monitor asks for ${record.type}`);
  }
}

function failed({ type }: Question, failure: LookupFailure): Lookup {
  return { recordType: type, values: [], failure };
}

function sameName(a: string, b: string): boolean {
  return plain(a) === plain(b);
}

function plain(name: string): string {
  return name.toLowerCase().replace(/(?<=.)\.$/, "");
}
