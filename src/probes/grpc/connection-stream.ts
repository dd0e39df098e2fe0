import { Duplex } from "node:stream";
import type { Connection } from "../connections/connection.ts";
import { ProbeError } from "../probe-error.ts";
import { FrameGuard } from "./frame-guard.ts";

/** How much a server may send in all, in bytes: an answer has some hundreds. */
const MAX_READ = 64 * 1024;

/**
 * A connection as `node:http2` can use it. It ends with a ProbeError if the server sends much, so that no flood of frames or
 * headers keeps the event loop busy: `node:http2` bounds only some of them.
 */
export class ConnectionStream extends Duplex {
  /** Whether the server has ended the connection. */
  hasEnded = false;
  private left = MAX_READ;
  private readonly guard = new FrameGuard();

  constructor(private readonly connection: Connection) {
    // If the server has ended, nothing answers what is still to be sent.
    super({ allowHalfOpen: false });
    void this.pump();
  }

  override _read(): void {}

  override _write(chunk: Uint8Array, _: unknown, done: () => void): void {
    // A copy, because the chunk may be used again when this is done.
    this.connection.write(Buffer.from(chunk));
    done();
  }

  private async pump(): Promise<void> {
    try {
      for (let more = await this.connection.read(); more !== undefined; more = await this.connection.read()) {
        this.left -= more.length;
        if (this.left < 0) throw tooMuch();
        if (!this.guard.accepts(more)) throw notHttp2();
        this.push(more, "latin1");
      }
      this.hasEnded = true;
      this.push(null);
    } catch (error) {
      this.destroy(error as Error);
    }
  }
}

export function notHttp2(): ProbeError {
  return new ProbeError("not_http", "the answer is not HTTP/2, or breaks its rules");
}

function tooMuch(): ProbeError {
  return new ProbeError("unexpected", `the server sent more than ${MAX_READ / 1024} KiB before its answer`);
}
