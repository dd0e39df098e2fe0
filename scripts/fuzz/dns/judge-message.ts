import type { Lookup, RecordType } from "../../../src/domain/checks/observation.ts";
import { addressBytes as parseAddress } from "../../../src/domain/network/client-address.ts";
import { readAnswer } from "../../../src/probes/dns/dns-packet.ts";
import type { Verdict } from "../protocol.ts";
import type { MessageInput, Truth } from "./input.ts";

export function judgeMessage({ question, hasEdns, message }: MessageInput): Verdict {
  const packet = Buffer.from(message.bytes, "latin1");
  const read = readAnswer(packet, { id: 0, question, hasEdns });
  const found = typeof read === "object" ? meaningOf(read) : (read ?? "ignored");
  const violation =
    (message.truth && differs(found, message.truth)) ?? unfounded(found, message.bytes, question.type);
  return { outcome: outcomeOf(found), violation };
}

export function meaningOf({ values, failure }: Lookup): Truth {
  return failure === null ? { values } : { failure };
}

export function outcomeOf(meaning: Truth): string {
  if (typeof meaning === "string") return meaning;
  return "values" in meaning ? "values" : meaning.failure;
}

export function differs(found: unknown, wanted: unknown): string | undefined {
  const [one, other] = [JSON.stringify(found), JSON.stringify(wanted)];
  return one === other ? undefined : `${one} instead of ${other}`;
}

/** A record of the Internet with this many bytes of data. Its time to live is between. */
const RECORDS: Partial<Record<RecordType, [start: string, length: string]>> = {
  A: ["\0\x01\0\x01", "\0\x04"],
  AAAA: ["\0\x1c\0\x01", "\0\x10"],
};

/** Values that the message does not contain. */
function unfounded(found: Truth, bytes: string, type: RecordType): string | undefined {
  if (typeof found === "string" || !("values" in found)) return undefined;
  const { values } = found;
  if (values.length === 0) return "values without any value";
  const misshapen = values.find((value) => /undefined|NaN|\[object/.test(value));
  if (misshapen !== undefined) return `misshapen value ${misshapen}`;
  const record = RECORDS[type];
  const invented = record && values.find((value) => !hasRecord(bytes, record, value));
  return invented === undefined ? undefined : `invented value ${invented}`;
}

function hasRecord(bytes: string, [start, length]: [string, string], value: string): boolean {
  const data = addressBytes(value);
  if (data === undefined) return false;
  const wanted = length + String.fromCharCode(...data);
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) {
    if (bytes.slice(at - 8, at - 4) === start) return true;
  }
  return false;
}

/** Four bytes, or sixteen; undefined if the text is no address. */
function addressBytes(text: string): number[] | undefined {
  const bytes = parseAddress(text);
  return bytes && (text.includes(":") ? bytes : bytes.slice(12));
}
