export type Encodable =
  | number
  | string
  | boolean
  | null
  | Uint8Array
  | Encodable[]
  | Map<number | string, Encodable>;

/** CBOR with the shortest lengths (RFC 8949, section 4.1). */
export function encodeCbor(value: Encodable): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytesOf(value));
}

function bytesOf(value: Encodable): number[] {
  if (value === null) return [0xf6];
  if (typeof value === "boolean") return [value ? 0xf5 : 0xf4];
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") {
    const text = [...new TextEncoder().encode(value)];
    return [...head(3, text.length), ...text];
  }
  if (value instanceof Uint8Array) return [...head(2, value.length), ...value];
  if (Array.isArray(value)) return [...head(4, value.length), ...value.flatMap(bytesOf)];
  const entries = [...value].flatMap(([key, inner]) => [...bytesOf(key), ...bytesOf(inner)]);
  return [...head(5, value.size), ...entries];
}

function head(type: number, number: number): number[] {
  const first = type << 5;
  if (number < 24) return [first | number];
  if (number < 0x100) return [first | 24, number];
  if (number < 0x10000) return [first | 25, number >> 8, number & 0xff];
  const bytes = new DataView(new ArrayBuffer(4));
  bytes.setUint32(0, number);
  return [first | 26, ...new Uint8Array(bytes.buffer)];
}
