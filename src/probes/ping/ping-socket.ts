import { type Pointer, ptr } from "bun:ffi";
import { DIALECTS, type Dialect, type PingAddress, type PingFamily } from "./dialect.ts";
import {
  CLOCK_REALTIME,
  EAGAIN,
  EINTR,
  errno,
  libc,
  MSG_ERRQUEUE,
  PMTUDISC_DONT,
  SO_ERROR,
  SO_MEMINFO,
  SO_RCVBUF,
  SO_TIMESTAMPNS,
  SOCK_CLOEXEC,
  SOCK_DGRAM,
  SOCK_NONBLOCK,
  SOL_SOCKET,
  systemError,
} from "./libc.ts";

/** Bytes of replies that may wait to be read. The system may allow less. */
const RECEIVE_BUFFER = 4 * 1024 * 1024;

/** How often a ping is sent that failed: the error may belong to another ping. */
const SEND_ATTEMPTS = 3;

/** Messages that are read at once at most, so that a flood does not hold up other checks. */
const MAX_READ = 5000;

/** The descriptor of no socket: the system refuses each call with it. */
const CLOSED = -1;

/** The place of the counter of lost messages in the value of SO_MEMINFO, see sock_diag(7). */
const DROPS = 8;

/** Knows the pings without an answer. @property onReply called with the time of the reply, as `PingSocket.now` */
export interface EchoListener {
  find(sequence: number): Echo | undefined;
  onReply(sequence: number, at: number): void;
  onUnreachable(sequence: number): void;
  /** A router on the way has reported that a ping has passed its most hops, or is unreachable. */
  onHop?(sequence: number, report: HopReport): void;
}

/** @property bytes the IP address of the router @property at when it was received, as `PingSocket.now` @property isEnd whether the target is unreachable */
interface HopReport {
  bytes: Uint8Array;
  at: number;
  isEnd: boolean;
}

/**
 * A socket for the pings of one version of IP. It needs no privilege, but a group within `net.ipv4.ping_group_range`. The kernel sets
 * identifier and checksum, notes when a reply arrives, and queues what the network reports.
 */
export class PingSocket {
  private readonly calls = libc();
  private readonly dialect: Dialect;
  private readonly memory: PingMemory;
  private descriptor: number;

  /** @throws an error of the system: `EACCES` if this process may not ping */
  constructor(
    family: PingFamily,
    private readonly listener: EchoListener,
  ) {
    this.dialect = DIALECTS[family];
    this.memory = new PingMemory(this.dialect);
    const { protocol, level, recvErr, mtuDiscover } = this.dialect;
    this.descriptor = this.calls.socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, protocol);
    if (this.descriptor < 0) throw systemError("socket", errno());
    this.setOption(SOL_SOCKET, SO_TIMESTAMPNS, 1);
    this.setOption(SOL_SOCKET, SO_RCVBUF, RECEIVE_BUFFER);
    this.setOption(level, recvErr, 1);
    // A ping that is too large for a network on its way is divided there, as with `ping`.
    this.setOption(level, mtuDiscover, PMTUDISC_DONT);
    // The first call in a process takes about a millisecond, which is no part of a round trip.
    this.now();
  }

  /**
   * The listener may call it too. Whatever this process opens next, in any thread, gets the number of the descriptor: a later call with
   * it would take bytes from another connection.
   */
  close(): void {
    const { descriptor } = this;
    this.descriptor = CLOSED;
    this.calls.close(descriptor);
  }

  /** The real time in milliseconds since 1970, as precisely as the system has it. */
  now(): number {
    this.calls.clock_gettime(CLOCK_REALTIME, this.memory.at(AT.time));
    return this.memory.timeAt(AT.time);
  }

  /**
   * @param hops the most that the ping may pass. Default: as many as the system allows
   * @returns when it was sent, as `now`
   * @throws an error of the system, for example `ENETUNREACH` without a route
   */
  send(echo: Echo, hops?: number): number {
    if (hops !== undefined) this.setOption(this.dialect.level, this.dialect.hops, hops);
    this.memory.writeEcho(echo);
    const { address, size } = echo;
    const [packet, target] = [this.memory.at(AT.echo), this.memory.at(AT.target)];
    let error = 0;
    for (let attempt = 0; attempt < SEND_ATTEMPTS; attempt++) {
      const at = this.now();
      const sent = this.calls.sendto(this.descriptor, packet, HEADER + size, 0, target, address.bytes.length);
      if (sent >= 0) return at;
      error = errno();
      // A report of the network about one ping fails the next call for any ping.
      this.readErrors();
      this.takeError();
    }
    throw systemError("sendto", error);
  }

  /** Reads what has arrived. */
  receive(): void {
    for (let read = 0; read < MAX_READ && this.descriptor !== CLOSED; read++) {
      const length = this.readMessage(0);
      if (length >= 0) this.takeReply(length);
      else if (length === -EAGAIN) break;
      else if (length !== -EINTR) this.takeError();
    }
    this.readErrors();
  }

  /** How many replies have been lost, because too many waited to be read. */
  drops(): number {
    const { view } = this.memory;
    view.setUint32(AT.optionLength, AT.optionLength - AT.option, true);
    const [value, length] = [this.memory.at(AT.option), this.memory.at(AT.optionLength)];
    const failed = this.calls.getsockopt(this.descriptor, SOL_SOCKET, SO_MEMINFO, value, length);
    return failed !== 0 ? 0 : view.getUint32(AT.option + 4 * DROPS, true);
  }

  private readErrors(): void {
    for (let read = 0; read < MAX_READ; read++) {
      const length = this.readMessage(MSG_ERRQUEUE);
      if (length < 0) return;
      this.takeReport(length);
    }
  }

  /** @returns how many bytes were read, or the negative number of an error */
  private readMessage(flags: number): number {
    this.memory.resetMessage();
    const length = this.calls.recvmsg(this.descriptor, this.memory.at(AT.message), flags);
    return length < 0 ? -errno() : length;
  }

  private takeReply(length: number): void {
    const sequence = this.memory.sequenceOf(length, this.dialect.reply);
    const echo = sequence === undefined ? undefined : this.listener.find(sequence);
    if (!echo || !this.memory.isReplyTo(echo, length)) return;
    this.listener.onReply(echo.sequence, this.memory.receivedAt() ?? this.now());
  }

  /** A report has as much of the ping as the network quoted, and the target in place of the source. */
  private takeReport(length: number): void {
    const sequence = this.memory.sequenceOf(length, this.dialect.request);
    const echo = sequence === undefined ? undefined : this.listener.find(sequence);
    if (!echo || !this.memory.isFrom(echo.address) || !this.memory.isUnreachable()) return;
    this.listener.onUnreachable(echo.sequence);
    const router = this.listener.onHop && this.memory.router();
    if (router)
      this.listener.onHop?.(echo.sequence, { ...router, at: this.memory.receivedAt() ?? this.now() });
  }

  /** Clears the error that waits for the next call. */
  private takeError(): void {
    this.memory.view.setUint32(AT.optionLength, 4, true);
    const [value, length] = [this.memory.at(AT.option), this.memory.at(AT.optionLength)];
    this.calls.getsockopt(this.descriptor, SOL_SOCKET, SO_ERROR, value, length);
  }

  private setOption(level: number, option: number, value: number): void {
    this.memory.view.setInt32(AT.option, value, true);
    this.calls.setsockopt(this.descriptor, level, option, this.memory.at(AT.option), 4);
  }
}

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

/** Bytes of `struct sock_extended_err`. */
const EXTENDED_ERROR = 16;

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

  /** The origin of a report that `isUnreachable`: its address follows the `struct sock_extended_err` (ip(7), SO_EE_OFFENDER). */
  router(): Pick<HopReport, "bytes" | "isEnd"> | undefined {
    const { level, recvErr, host, isExceeded } = this.dialect;
    const at = this.findControl(level, recvErr);
    if (at === undefined) return undefined;
    const address = at + EXTENDED_ERROR;
    const isEnd = !isExceeded(this.view.getUint8(at + 5), this.view.getUint8(at + 6));
    return { bytes: this.bytes.slice(address + host.start, address + host.end), isEnd };
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
