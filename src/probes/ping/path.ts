import type { Hop } from "../../domain/evidence/evidence.ts";
import { pingAddress } from "./dialect.ts";
import { type Echo, type EchoListener, PingSocket } from "./ping-socket.ts";

/** Routers on the way that are asked at most. */
const MAX_HOPS = 20;

/** How long they may take to answer, in milliseconds. */
const PATIENCE = 2000;

/** Interval at which answers are read, in milliseconds: the kernel notes when they arrive. */
const READ_EVERY = 10;

const SIZE = 32;

interface Sent extends Echo {
  at: number;
}

/** The routers that answer, by the number of the hop. */
class Path implements EchoListener {
  private readonly sent = new Map<number, Sent>();
  private readonly hops = new Map<number, Hop>();
  isReached = false;
  /** The hop at which the network reports that the target is unreachable: the path ends there. */
  private end = MAX_HOPS;

  constructor(private readonly address: string) {}

  /** One ping for each hop, all at once. @throws an error of the system */
  send(socket: PingSocket): void {
    const address = pingAddress(this.address);
    for (let hop = 1; hop <= MAX_HOPS; hop++) {
      const echo = { address, sequence: hop, nonce: randomPair(), size: SIZE };
      this.sent.set(hop, { ...echo, at: socket.send(echo, hop) });
    }
  }

  /** Whether each hop up to the end of the path has answered. */
  get isComplete(): boolean {
    for (let hop = 1; hop <= this.end; hop++) if (!this.hops.has(hop)) return false;
    return true;
  }

  /** Up to the first hop after the last one that answered, which is silent. Nothing without a route. */
  list(): Hop[] {
    if (this.sent.size === 0) return [];
    const last = Math.min(this.end, Math.max(0, ...this.hops.keys()) + 1);
    return Array.from({ length: last }, (_, at) => {
      return this.hops.get(at + 1) ?? { hop: at + 1, address: null, rttMs: null };
    });
  }

  find(sequence: number): Echo | undefined {
    return this.sent.get(sequence);
  }

  onReply(): void {
    this.isReached = true;
  }

  onUnreachable(): void {}

  onHop(hop: number, { bytes, at, isEnd }: { bytes: Uint8Array; at: number; isEnd: boolean }): void {
    const sent = this.sent.get(hop);
    if (!sent || this.hops.has(hop)) return;
    const rttMs = Math.round(Math.max(0, at - sent.at) * 1000) / 1000;
    this.hops.set(hop, { hop, address: textOf(bytes), rttMs });
    if (isEnd) this.end = Math.min(this.end, hop);
  }
}

/** The text of an IP address, of IPv6 in its shortest form (RFC 5952). */
function textOf(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join(".");
  const groups = Buffer.from(bytes).toString("hex").match(/.{4}/g) ?? [];
  return new URL(`http://[${groups.join(":")}]/`).hostname.slice(1, -1);
}

function randomPair(): [number, number] {
  const [first = 0, second = 0] = crypto.getRandomValues(new Uint32Array(2));
  return [first, second];
}

/**
 * The routers on the path to an address that does not answer (behavior 22.18).
 *
 * @returns null if this process may not ping, or the address answers pings
 */
export async function tracePath(address: string): Promise<Hop[] | null> {
  const path = new Path(address);
  let socket: PingSocket;
  try {
    socket = new PingSocket(pingAddress(address).family, path);
  } catch {
    return null;
  }
  try {
    path.send(socket);
    const end = performance.now() + PATIENCE;
    while (!path.isReached && !path.isComplete && performance.now() < end) {
      await Bun.sleep(READ_EVERY);
      socket.receive();
    }
  } catch {
    // Without a route there is no hop.
  } finally {
    socket.close();
  }
  return path.isReached ? null : path.list();
}
