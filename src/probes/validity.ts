import { ProbeError } from "./probe-error.ts";

/** One element of DER. @property end the offset of the element that follows it */
interface Element {
  tag: number;
  content: Buffer;
  end: number;
}

const VERSION = 0xa0;
const UTC_TIME = 0x17;

const YEAR_OF_TWO_DIGITS = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(Z|[+-]\d{4})$/;
const YEAR_OF_FOUR_DIGITS = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(Z|[+-]\d{4})$/;

/**
 * From when and until when a certificate is valid (RFC 5280, 4.1.2.5). Read from the DER, because the text that Bun
 * gives has no time for an offset, and `49` for the year 49, which Date takes for 2049.
 *
 * @throws ProbeError `tls_failed` if a time is no time
 */
export function validityOf(certificate: Buffer): { validFrom: Date; validTo: Date } {
  const signed = elementAt(elementAt(certificate, 0).content, 0).content;
  const first = elementAt(signed, 0);
  // The serial number, the algorithm and the issuer stand before it, behind the version.
  let at = first.tag === VERSION ? first.end : 0;
  for (let skipped = 0; skipped < 3; skipped++) at = elementAt(signed, at).end;
  const validity = elementAt(signed, at).content;
  const from = elementAt(validity, 0);
  return { validFrom: timeOf(from), validTo: timeOf(elementAt(validity, from.end)) };
}

/** @throws RangeError if the bytes end before it */
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
  const pattern = tag === UTC_TIME ? YEAR_OF_TWO_DIGITS : YEAR_OF_FOUR_DIGITS;
  const [, years = "", month, day, hour, minute, second, offset] = pattern.exec(text) ?? [];
  const year = tag === UTC_TIME ? `${Number(years) < 50 ? "20" : "19"}${years}` : years;
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`);
  if (Number.isNaN(time.getTime()))
    throw new ProbeError("tls_failed", "the validity of the certificate is no time");
  return time;
}
