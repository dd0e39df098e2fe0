/** A frame of HTTP/2 (RFC 9113, 4.1). @param on the stream and the flags. Default: the connection, none */
export function http2Frame(
  type: number,
  payload: Uint8Array | readonly number[] = [],
  { stream = 0, flags = 0 }: { stream?: number; flags?: number } = {},
): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, Buffer.from(payload)]);
}

const DATA = 0;
const HEADERS = 1;
const END_STREAM = 1;
const END_HEADERS = 4;

/** The settings that a server begins with, and its acknowledgement of the client's. */
export const SETTINGS = Buffer.concat([http2Frame(4), http2Frame(4, [], { flags: 1 })]);

/** The first request of a client is on stream 1. */
export function headersFrame(fields: Uint8Array, { isEnd = false } = {}): Buffer {
  return http2Frame(HEADERS, fields, { stream: 1, flags: END_HEADERS | (isEnd ? END_STREAM : 0) });
}

export function dataFrame(payload: Uint8Array, { isEnd = false } = {}): Buffer {
  return http2Frame(DATA, payload, { stream: 1, flags: isEnd ? END_STREAM : 0 });
}

/** `:status: 200`, by its number in HPACK. */
export const STATUS_200 = Buffer.from([0x88]);

/** A field that is spelled out, without Huffman coding (RFC 7541, 6.2.2). @param value shorter than 128 bytes + 2^14 */
export function field(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.from([0, name.length]), Buffer.from(name), ...text(value)]);
}

function text(value: string): Buffer[] {
  const { length } = value;
  const rest = length - 127;
  const prefix = rest < 0 ? [length] : [127, (rest & 0x7f) | 0x80, rest >> 7];
  return [Buffer.from(prefix), Buffer.from(value, "latin1")];
}
