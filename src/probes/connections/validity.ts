import { ProbeError } from "../probe-error.ts";

/** One element of DER. @property end the offset of the next element */
interface Element {
  tag: number;
  content: Buffer;
  end: number;
}

const VERSION = 0xa0;
const UTC_TIME = 0x17;

const TWO_DIGIT_YEAR = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(Z|[+-]\d{4})$/;
const FOUR_DIGIT_YEAR = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(Z|[+-]\d{4})$/;

/**
 * The validity of a certificate (RFC 5280, 4.1.2.5), read from the DER. The text form of Bun is wrong for times with an
 * offset, and it writes the year 49 as `49`, which `Date` reads as 2049.
 *
 * @throws ProbeError `tls_failed` if one of the times is invalid
 */
export function validityOf(certificate: Buffer): { validFrom: Date; validTo: Date } {
  const signed = elementAt(elementAt(certificate, 0).content, 0).content;
  const first = elementAt(signed, 0);
  // Order: the optional version, serial number, algorithm, issuer, validity.
  let at = first.tag === VERSION ? first.end : 0;
  for (let skipped = 0; skipped < 3; skipped++) at = elementAt(signed, at).end;
  const validity = elementAt(signed, at).content;
  const from = elementAt(validity, 0);
  return { validFrom: timeOf(from), validTo: timeOf(elementAt(validity, from.end)) };
}

/** @throws RangeError if the bytes end within the element */
function elementAt(bytes: Buffer, at: number): Element {
  const tag = bytes.readUInt8(at);
  const length = bytes.readUInt8(at + 1);
  const isLong = length > 0x7f;
  const start = at + 2 + (isLong ? length - 0x80 : 0);
  const end = start + (isLong ? bytes.readUIntBE(at + 2, length - 0x80) : length);
  return { tag, content: bytes.subarray(start, end), end };
}

function timeOf({ tag, content }: Element): Date {
  const text = content.toString("latin1");
  const pattern = tag === UTC_TIME ? TWO_DIGIT_YEAR : FOUR_DIGIT_YEAR;
  const [, years = "", month, day, hour, minute, second, offset] = pattern.exec(text) ?? [];
  const year = tag === UTC_TIME ? `${Number(years) < 50 ? "20" : "19"}${years}` : years;
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`);
  if (Number.isNaN(time.getTime()))
    throw new ProbeError("tls_failed", "the validity of the certificate is malformed");
  return time;
}
