import { type Pointer, ptr } from "bun:ffi";
import {
  errno,
  libc,
  SO_RCVBUF,
  SO_TIMESTAMPNS,
  SOCK_DGRAM,
  SOCK_NONBLOCK,
  SOL_SOCKET,
  systemError,
} from "../../../src/probes/ping/libc.ts";

/* See packet(7). */
const AF_PACKET = 17;
/** All protocols, in the order of bytes of the network: only then are sent packets shown too. */
const ETH_P_ALL = 0x0300;
const ETH_P_IP = 0x0800;
const PACKET_OUTGOING = 4;

const [NAME, MESSAGE, VECTOR, CONTROL, PACKET, END] = [0, 64, 128, 256, 512, 2048];

/** When the kernel sent requests of ICMP and received their replies, by their sequence; milliseconds since 1970. */
export class PacketLog {
  readonly requests = new Map<number, number>();
  readonly replies = new Map<number, number>();
  private readonly buffer = new ArrayBuffer(END);
  private readonly view = new DataView(this.buffer);
  private readonly base = Number(ptr(this.buffer));
  private readonly descriptor = libc().socket(AF_PACKET, SOCK_DGRAM | SOCK_NONBLOCK, ETH_P_ALL);

  constructor() {
    if (this.descriptor < 0) throw systemError("socket", errno());
    const set = (option: number, value: number) =>
      libc().setsockopt(this.descriptor, SOL_SOCKET, option, new Int32Array([value]), 4);
    set(SO_TIMESTAMPNS, 1);
    set(SO_RCVBUF, 1 << 24);
    const point = (place: number, to: number) => this.view.setBigUint64(place, BigInt(this.base + to), true);
    point(MESSAGE, NAME);
    point(MESSAGE + 16, VECTOR);
    this.view.setUint32(MESSAGE + 24, 1, true);
    point(MESSAGE + 32, CONTROL);
    point(VECTOR, PACKET);
    this.view.setUint32(VECTOR + 8, END - PACKET, true);
  }

  /** Reads what was sent and received since the last call. */
  read(): void {
    for (;;) {
      this.view.setUint32(MESSAGE + 8, 32, true);
      this.view.setUint32(MESSAGE + 40, PACKET - CONTROL, true);
      const length = libc().recvmsg(this.descriptor, (this.base + MESSAGE) as Pointer, 0);
      if (length < 0) return;
      this.note();
    }
  }

  /** A loopback interface shows each packet twice: as it is sent, and as it arrives. */
  private note(): void {
    const { view } = this;
    if (view.getUint16(NAME + 2) !== ETH_P_IP) return;
    const icmp = PACKET + (view.getUint8(PACKET) & 15) * 4;
    const isOutgoing = view.getUint8(NAME + 10) === PACKET_OUTGOING;
    const type = view.getUint8(icmp);
    const at = view.getUint32(CONTROL + 16, true) * 1000 + view.getUint32(CONTROL + 24, true) / 1e6;
    const sequence = view.getUint16(icmp + 6);
    if (type === 8 && isOutgoing) this.requests.set(sequence, at);
    if (type === 0 && !isOutgoing) this.replies.set(sequence, at);
  }
}
