/* The two messages of grpc.health.v1, in the encoding of protobuf, and their frames. */

/** A field 1 that is a text, and one that is a number: the field's number, then its wire type. */
const TEXT_1 = (1 << 3) | 2;
const NUMBER_1 = (1 << 3) | 0;

/** A message is preceded by a flag, whether it is compressed, and by its length in 4 bytes. */
const PREFIX = 5;

/** The health of a service, by number. */
const HEALTH = ["UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"];

/** The framed `HealthCheckRequest`. @param service empty for the whole server */
export function healthRequest(service: string): Buffer {
  const name = Buffer.from(service);
  const field = name.length === 0 ? [] : [TEXT_1, ...varint(name.length)];
  const length = Buffer.alloc(PREFIX);
  length.writeUInt32BE(field.length + name.length, 1);
  return Buffer.concat([length, Buffer.from(field), name]);
}

/**
 * The health in the framed `HealthCheckResponse`: its name, or its number if it has none.
 *
 * @returns undefined if the bytes are not exactly one such message, without compression
 */
export function readHealth(bytes: Buffer): string | undefined {
  if (bytes.length < PREFIX || bytes[0] !== 0 || bytes.readUInt32BE(1) !== bytes.length - PREFIX)
    return undefined;
  const status = statusIn(bytes.subarray(PREFIX));
  return status === undefined ? undefined : (HEALTH[status] ?? `status ${status}`);
}

/** How many bytes a field of each wire type has: a number, 8 bytes, a length and its bytes, 4 bytes. */
const FIXED: Record<number, number> = { 1: 8, 5: 4 };

/** The last field 1 counts, and others are skipped (protobuf, "Last One Wins"). @returns undefined if it is malformed */
function statusIn(message: Buffer): number | undefined {
  let status = 0;
  for (let at = 0; at < message.length; ) {
    const tag = readVarint(message, at);
    if (!tag) return undefined;
    const type = tag.value & 7;
    const number = type === 0 || type === 2 ? readVarint(message, tag.end) : undefined;
    if (tag.value === NUMBER_1 && number) status = number.value;
    if (type === 0 && number) at = number.end;
    else if (type === 2 && number) at = number.end + number.value;
    else if (FIXED[type]) at = tag.end + FIXED[type];
    else return undefined;
    if (at > message.length) return undefined;
  }
  return status;
}

/** @param value less than 16,384 */
function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, value >> 7];
}

/** @returns undefined if the bytes end within it, or if it has more than 32 bits */
function readVarint(bytes: Buffer, start: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let at = start; at < bytes.length && at < start + 5; at++) {
    const byte = bytes[at] as number;
    value += (byte & 0x7f) * 2 ** (7 * (at - start));
    if (byte < 0x80) return { value, end: at + 1 };
  }
  return undefined;
}
