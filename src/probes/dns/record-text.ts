import type { RecordType } from "../../domain/checks/dns-record.ts";
import { MalformedMessage, type MessageReader } from "./message-reader.ts";

/** The numbers of the record types (IANA, Resource Record TYPEs). */
export const typeNumbers: Record<RecordType, number> = {
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
export function recordText(type: RecordType, data: MessageReader): string {
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
