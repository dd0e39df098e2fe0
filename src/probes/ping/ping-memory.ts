import { type Pointer, ptr } from "bun:ffi";
import type { Dialect } from "./dialect.ts";
import { SO_TIMESTAMPNS, SOL_SOCKET } from "./libc.ts";
import type { PingAddress } from "./ping-address.ts";

/**
 * A ping as it is on its way. Two numbers of 32 bits are its nonce, of which it has as much as fits into its size.
 *
 * @property size bytes behind the header
 */
export interface Echo {
  address: PingAddress;
  sequence: number;
  nonce: readonly [number, number];
  size: number;
}

/** Where the structures are that the system reads and writes. */
export const AT = {
  /** `struct sockaddr_in` or `struct sockaddr_in6` of a target. */
  target: 0,
  /** `struct timespec`. */
  time: 32,
  /** The value of a socket option, and its length. */
  option: 48,
  optionLength: 96,
  /** `struct msghdr`, whose parts are the next ones. */
  message: 128,
  vector: 192,
  source: 224,
  control: 256,
  /** The received packet. */
  packet: 1024,
  /** The sent packet. */
  echo: 3072,
  end: 5120,
} as const;

/** Bytes of an ICMP header. */
export const HEADER = 8;

/**
 * All that the system reads and writes for a socket, in one buffer that this object holds: the garbage collector does not see
 * pointers. A buffer that is reachable only through one is collected, and replies would vanish without an error.
 */
export class PingMemory {
  // The buffer first: Bun moves the bytes of an array that has none when something reads its `buffer`.
  private readonly buffer = new ArrayBuffer(AT.end);
  readonly bytes = new Uint8Array(this.buffer);
  readonly view = new DataView(this.buffer);
  private readonly base = Number(ptr(this.buffer));

  constructor(private readonly dialect: Dialect) {
    this.writePointer(AT.message, AT.source);
    this.writePointer(AT.message + 16, AT.vector);
    this.view.setUint32(AT.message + 24, 1, true);
    this.writePointer(AT.message + 32, AT.control);
    this.writePointer(AT.vector, AT.packet);
    this.view.setUint32(AT.vector + 8, AT.echo - AT.packet, true);
  }

  /** The pointer to a structure. */
  at(place: number): Pointer {
    return (this.base + place) as Pointer;
  }

  writeEcho({ address, sequence, nonce, size }: Echo): void {
    const { view, bytes } = this;
    bytes.set(address.bytes, AT.target);
    // The kernel sets the checksum and the identifier of the socket.
    view.setUint32(AT.echo, this.dialect.request << 24);
    view.setUint16(AT.echo + 6, sequence);
    view.setUint32(AT.echo + HEADER, nonce[0]);
    view.setUint32(AT.echo + HEADER + 4, nonce[1]);
    bytes.fill(0, AT.echo + HEADER + 8, AT.echo + HEADER + size);
  }

  /** Before each message: the system overwrites the lengths. */
  resetMessage(): void {
    this.view.setUint32(AT.message + 8, this.dialect.addressLength, true);
    this.view.setUint32(AT.message + 40, AT.packet - AT.control, true);
  }

  /** The sequence of a received packet; undefined if it is no ICMP message of this type. */
  sequenceOf(length: number, type: number): number | undefined {
    const isOfType = length >= HEADER && this.bytes[AT.packet] === type;
    return isOfType ? this.view.getUint16(AT.packet + 6) : undefined;
  }

  /** Whether the received packet is the reply to a ping, except for its sequence. */
  isReplyTo(echo: Echo, length: number): boolean {
    return length === HEADER + echo.size && this.isFrom(echo.address) && this.hasNonce(echo);
  }

  /** Whether the source of the received packet is an address. */
  isFrom({ bytes }: PingAddress): boolean {
    const { start, end } = this.dialect.host;
    for (let i = start; i < end; i++) if (this.bytes[AT.source + i] !== bytes[i]) return false;
    return true;
  }

  private hasNonce({ nonce, size }: Echo): boolean {
    const [first, second] = nonce;
    const at = AT.packet + HEADER;
    if (size >= 8) return this.view.getUint32(at) === first && this.view.getUint32(at + 4) === second;
    for (let i = 0; i < size; i++) {
      const byte = ((i < 4 ? first : second) >>> (24 - 8 * (i % 4))) & 255;
      if (this.bytes[at + i] !== byte) return false;
    }
    return true;
  }

  /** When the kernel received the packet, as `timeAt`; undefined if it did not say. */
  receivedAt(): number | undefined {
    const at = this.findControl(SOL_SOCKET, SO_TIMESTAMPNS);
    return at === undefined ? undefined : this.timeAt(at);
  }

  /** Whether the network reported that the ping in the received packet can't be delivered. `struct sock_extended_err`. */
  isUnreachable(): boolean {
    const { level, recvErr, fromNetwork, isUnreachable } = this.dialect;
    const at = this.findControl(level, recvErr);
    if (at === undefined || this.view.getUint8(at + 4) !== fromNetwork) return false;
    return isUnreachable(this.view.getUint8(at + 5), this.view.getUint8(at + 6));
  }

  /** A `struct timespec` in milliseconds. The upper half of the seconds is 0 until 2106. */
  timeAt(place: number): number {
    return this.view.getUint32(place, true) * 1000 + this.view.getUint32(place + 8, true) / 1e6;
  }

  /** @returns where the data of a control message is, see cmsg(3); undefined without it */
  private findControl(level: number, type: number): number | undefined {
    const { view } = this;
    const end = AT.control + view.getUint32(AT.message + 40, true);
    for (let at: number = AT.control; at + 16 <= end; ) {
      const length = view.getUint32(at, true);
      if (view.getInt32(at + 8, true) === level && view.getInt32(at + 12, true) === type) return at + 16;
      at += Math.max(16, (length + 7) & ~7);
    }
    return undefined;
  }

  private writePointer(place: number, to: number): void {
    this.view.setBigUint64(place, BigInt(this.at(to)), true);
  }
}
