import { closeSync, write } from "node:fs";
import { bytesHeld } from "./pipe.ts";

/** How long output is still waited for after the end of the command, whose children may keep its pipe open. Milliseconds. */
const DRAIN = 100;

/** Output that comes later than this after the end of the command, and was not in the pipe then, is of its children. Milliseconds. */
const MAX_DRAIN = 1000;

/** Retry if somebody else has made a terminal or a pipe non-blocking, in milliseconds. */
const RETRY_AFTER = 20;

/**
 * Forwards what a command writes to a pipe, as it comes, and no faster than it is taken. The writes are made by another thread:
 * `process.stdout` would make the pipe non-blocking for all programs that share it.
 */
export class ForwardedOutput {
  readonly #reader: {
    read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
    cancel(): Promise<void>;
  };
  readonly #read: Promise<void>;
  #written = Promise.resolve();
  #bytes = 0;
  #hasEnded = false;
  #isLost = false;
  #release = () => {};

  /** @param from the pipe @param keep is called with each part */
  constructor(
    private readonly from: number,
    private readonly to: 1 | 2,
    private readonly keep: (chunk: Uint8Array) => void,
  ) {
    this.#reader = Bun.file(from).stream().getReader();
    this.#read = this.#forward();
  }

  /** All that the command wrote has been written. */
  get written(): Promise<void> {
    return this.#written;
  }

  /** Call it after the end of the command. Resolves when all that it wrote has been read. */
  async drain(): Promise<void> {
    this.#hasEnded = true;
    this.#release();
    const mustRead = this.#bytes + (this.#isLost ? 0 : bytesHeld(this.from));
    const endsAt = performance.now() + MAX_DRAIN;
    for (let seen = -1; this.#bytes < mustRead || (this.#bytes !== seen && performance.now() < endsAt); ) {
      seen = this.#bytes;
      if (await Promise.race([this.#read.then(() => true), Bun.sleep(DRAIN)])) return;
    }
    await this.#reader.cancel();
    await this.#read;
  }

  async #forward(): Promise<void> {
    for (;;) {
      const { done, value } = await this.#reader.read();
      if (done || !value) return;
      this.#bytes += value.length;
      this.keep(value);
      this.#written = this.#written.then(() => this.#write(value));
      await this.#room();
    }
  }

  /** Resolves when the part is written, or at the end of the command: what is left then is little. */
  #room(): Promise<void> {
    return new Promise((resolve) => {
      this.#release = resolve;
      if (this.#hasEnded) resolve();
      else this.#written.then(resolve);
    });
  }

  async #write(chunk: Uint8Array): Promise<void> {
    let rest = chunk;
    while (rest.length > 0 && !this.#isLost) {
      try {
        rest = rest.subarray(await writePart(this.to, rest));
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === "EAGAIN") await Bun.sleep(RETRY_AFTER);
        else await this.#lose(code);
      }
    }
  }

  /**
   * Nobody takes the output any more. If its reader has gone, the command learns it as it would without stillup: by SIGPIPE.
   * Otherwise, for example if a disk is full, the job goes on.
   */
  async #lose(code: string | undefined): Promise<void> {
    this.#isLost = true;
    if (code !== "EPIPE" || this.#hasEnded) return;
    await this.#reader.cancel();
    closeSync(this.from);
  }
}

function writePart(descriptor: number, bytes: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    write(descriptor, bytes, 0, bytes.length, null, (error, written) =>
      error ? reject(error) : resolve(written),
    );
  });
}
