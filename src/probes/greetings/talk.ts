import type { Connection } from "../connections/connection.ts";
import { readMore } from "../connections/read-more.ts";
import { ProbeError } from "../probe-error.ts";
import type { Protocol } from "./protocols.ts";

/** How long a line of a server may be, in bytes: no protocol allows longer ones. */
const MAX_LINE = 8 * 1024;

/** How much a server may say before the check ends, in bytes. */
const MAX_SAID = 64 * 1024;

/** The conversation with a server, up to its end or to TLS. Its texts have one character for each byte. */
export class Talk {
  /** Bytes that have arrived and are not read. */
  unread = "";
  private left = MAX_SAID;
  private isWithOther = false;

  constructor(
    private readonly connection: Connection,
    private readonly protocol: Pick<Protocol, "name" | "goodbye">,
  ) {}

  say(bytes: string | Buffer): void {
    this.connection.write(bytes);
  }

  /**
   * Reads a line.
   *
   * @param starts how it may begin, with a 0 for any digit: anything else is refused before the end of the line arrives
   * @returns the line without its end
   * @throws ProbeError `unexpected`, `closed`
   */
  async line(starts: readonly string[]): Promise<string> {
    for (let searched = 0; ; await this.more()) {
      if (!mayBegin(this.unread, starts)) throw this.isForeign();
      const end = this.unread.indexOf("\n", searched);
      if ((end < 0 ? this.unread.length : end) > MAX_LINE)
        throw new ProbeError("unexpected", `the server sent a line of more than ${MAX_LINE / 1024} KiB`);
      if (end >= 0) return this.take(end + 1).replace(/\r?\n$/, "");
      searched = this.unread.length;
    }
  }

  /** Reads so many bytes. @throws ProbeError `unexpected`, `closed` */
  async bytes(count: number): Promise<string> {
    while (this.unread.length < count) await this.more();
    return this.take(count);
  }

  /** Ends the conversation without waiting for an answer, also one in which the server refused something (RFC 5321, 3.1). */
  leave(): void {
    if (!this.isWithOther) this.connection.leave(this.protocol.goodbye ?? "");
  }

  /** The server speaks something else. */
  isForeign(): ProbeError {
    this.isWithOther = true;
    return new ProbeError("unexpected", `the server does not speak ${this.protocol.name} on that port`);
  }

  private take(count: number): string {
    const taken = this.unread.slice(0, count);
    this.unread = this.unread.slice(count);
    return taken;
  }

  private async more(): Promise<void> {
    if (this.left <= 0)
      throw new ProbeError("unexpected", `the server sent more than ${MAX_SAID / 1024} KiB`);
    const more = await readMore(this.connection);
    if (more === undefined)
      throw new ProbeError("closed", "the server closed the connection before it answered completely");
    this.unread += more.slice(0, this.left);
    this.left -= more.length;
  }
}

/** Whether a text that may be incomplete begins in one of these ways. */
function mayBegin(text: string, starts: readonly string[]): boolean {
  if (starts.length === 0) return true;
  const begin = text.slice(0, 8).replace(/\d/g, "0");
  return starts.some((start) => start.startsWith(begin.slice(0, start.length)));
}
