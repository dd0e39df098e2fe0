import type { Closable, Lifetime } from "../lifetime.ts";

/** Counts the open sockets of probes. */
export class OpenSockets implements Closable {
  /** @param count its first entry is the number of open sockets; another thread may read it */
  constructor(private readonly count: Int32Array<ArrayBufferLike> = new Int32Array(1)) {}

  open(): void {
    Atomics.add(this.count, 0, 1);
  }

  /** To be called once for each call of `open`. */
  close(): void {
    Atomics.sub(this.count, 0, 1);
  }

  /** Counts a socket that closes at the end of a lifetime. */
  openUntil(end: Lifetime): void {
    this.open();
    end.add(this);
  }
}
