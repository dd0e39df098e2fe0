/** Counts the open sockets of probes. */
export class OpenSockets {
  /** @param count its first entry is the number of open sockets; another thread may read it */
  constructor(private readonly count: Int32Array<ArrayBufferLike> = new Int32Array(1)) {}

  /** Counts one more socket. @returns ends the count; a second call has no effect */
  open(): () => void {
    let isOpen = true;
    Atomics.add(this.count, 0, 1);
    return () => {
      if (isOpen) Atomics.sub(this.count, 0, 1);
      isOpen = false;
    };
  }

  /** Counts a socket that closes when the signal is aborted. */
  openUntil(signal: AbortSignal): void {
    signal.addEventListener("abort", this.open(), { once: true });
  }
}
