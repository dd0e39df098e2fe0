/** Counts the statements that clients of PostgreSQL send. Several in one message, as in `BEGIN; SET LOCAL …`, are one. */
export class StatementCounter {
  count = 0;

  /** @returns receives what one client sends */
  follow(): (data: Buffer) => void {
    let rest: Buffer = Buffer.alloc(0);
    let hasStarted = false;
    return (data) => {
      rest = rest.length > 0 ? Buffer.concat([rest, data]) : data;
      for (;;) {
        const head = hasStarted ? 1 : 0;
        if (rest.length < head + 4) return;
        const size = head + rest.readUInt32BE(head);
        // Not PostgreSQL.
        if (size < head + 4) return;
        if (rest.length < size) return;
        if (hasStarted) this.#read(rest[0]);
        else hasStarted = rest.readUInt32BE(4) === STARTUP;
        rest = rest.subarray(size);
      }
    };
  }

  #read(type: number | undefined): void {
    if (type === QUERY || type === SYNC) this.count++;
  }
}

/** The version 3.0 of the protocol, in the first message that has no type. Before it, a client may ask for TLS. */
const STARTUP = 196_608;

/** A statement without parameters, and the end of one with parameters. */
const QUERY = "Q".charCodeAt(0);
const SYNC = "S".charCodeAt(0);
