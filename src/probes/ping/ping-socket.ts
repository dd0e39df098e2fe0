import { DIALECTS, type Dialect } from "./dialect.ts";
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
import type { PingFamily } from "./ping-address.ts";
import { AT, type Echo, HEADER, PingMemory } from "./ping-memory.ts";

/** Bytes of replies that may wait to be read. The system may allow less. */
const RECEIVE_BUFFER = 4 * 1024 * 1024;

/** How often a ping is sent that failed: the error may belong to another ping. */
const SEND_ATTEMPTS = 3;

/** Messages that are read at once at most, so that a flood does not hold up other checks. */
const MAX_READ = 5000;

/** The place of the counter of lost messages in the value of SO_MEMINFO, see sock_diag(7). */
const DROPS = 8;

/** Knows the pings without an answer. @property onReply called with the time of the reply, as `PingSocket.now` */
export interface EchoListener {
  find(sequence: number): Echo | undefined;
  onReply(sequence: number, at: number): void;
  onUnreachable(sequence: number): void;
}

/**
 * A socket for the pings of one version of IP. It needs no privilege, but a group within `net.ipv4.ping_group_range`. The kernel sets
 * identifier and checksum, notes when a reply arrives, and queues what the network reports.
 */
export class PingSocket {
  private readonly calls = libc();
  private readonly dialect: Dialect;
  private readonly memory: PingMemory;
  private readonly descriptor: number;

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

  close(): void {
    this.calls.close(this.descriptor);
  }

  /** The real time in milliseconds since 1970, as precisely as the system has it. */
  now(): number {
    this.calls.clock_gettime(CLOCK_REALTIME, this.memory.at(AT.time));
    return this.memory.timeAt(AT.time);
  }

  /** @returns when it was sent, as `now` @throws an error of the system, for example `ENETUNREACH` without a route */
  send(echo: Echo): number {
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
    for (let read = 0; read < MAX_READ; read++) {
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
