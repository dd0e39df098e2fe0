import type { Draw } from "../../simulator/truth/draw.ts";

/** Writes a DNS message (RFC 1035, 4). One character for each byte. */
export class MessageWriter {
  private readonly parts: string[] = [];
  private length = 0;
  /** Where the names that were written begin. */
  private readonly names = new Map<string, number>();

  /** @param draw decides where names are compressed */
  constructor(private readonly draw: Draw) {}

  get bytes(): string {
    return this.parts.join("");
  }

  uint8(value: number): void {
    this.raw(String.fromCharCode(value & 0xff));
  }

  uint16(value: number): void {
    this.raw(twoBytes(value));
  }

  uint32(value: number): void {
    this.uint16(value >>> 16);
    this.uint16(value);
  }

  raw(bytes: string): void {
    this.parts.push(bytes);
    this.length += bytes.length;
  }

  /** Bytes after their number. */
  string(bytes: string): void {
    this.raw(String.fromCharCode(bytes.length) + bytes);
  }

  name(labels: readonly string[]): void {
    let key = labels.join("\0");
    for (let at = 0; at < labels.length; at++) {
      const pointer = this.names.get(key);
      if (pointer !== undefined && pointer < 0x4000 && this.draw.chance(0.7)) {
        this.uint16(0xc000 | pointer);
        return;
      }
      this.names.set(key, this.length);
      this.string(labels[at] ?? "");
      key = key.slice((labels[at] ?? "").length + 1);
    }
    this.uint8(0);
  }

  record({ owner, type, group = 1, data }: Written): void {
    this.name(owner);
    this.uint16(type);
    this.uint16(group);
    this.uint32(this.draw.whole(0, 86_400));
    const place = this.parts.length;
    this.uint16(0);
    const start = this.length;
    data(this);
    this.parts[place] = twoBytes(this.length - start);
  }
}

function twoBytes(value: number): string {
  return String.fromCharCode((value >> 8) & 0xff, value & 0xff);
}

/** A record. @property group its class, by default the Internet */
export interface Written {
  owner: readonly string[];
  type: number;
  group?: number;
  data: (writer: MessageWriter) => void;
}
