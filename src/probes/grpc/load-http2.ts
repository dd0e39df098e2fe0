import { Connection } from "../connections/connection.ts";
import { Lifetime } from "../lifetime.ts";
import { call, type Http2 } from "./call.ts";

let loaded: Promise<Http2> | undefined;

/**
 * Loads `node:http2` at its first use. That takes tens of milliseconds, and so does the first call: therefore it is one
 * that nothing measures, and that no server answers.
 */
export function loadHttp2(): Promise<Http2> {
  loaded ??= import("node:http2").then(rehearse);
  return loaded;
}

async function rehearse(http2: Http2): Promise<Http2> {
  const lifetime = new Lifetime();
  const connection = new RehearsedConnection();
  await call(http2, { headers: { ":method": "POST" }, message: new Uint8Array(1) }, { connection, lifetime });
  lifetime.close();
  return http2;
}

const frame = (type: number, flags: number, stream: number, ...payload: number[]) => [
  ...[0, 0, payload.length, type, flags, 0, 0, 0, stream],
  ...payload,
];

/** Empty settings; then, on stream 1, the status 200, a byte of data, and an empty `accept-charset`, by their numbers in HPACK. */
const ANSWER = [...frame(4, 0, 0), ...frame(1, 4, 1, 0x88), ...frame(0, 0, 1, 0), ...frame(1, 5, 1, 0x8f)];

/** A connection that answers the first request, whatever it is. */
class RehearsedConnection extends Connection {
  private isAnswered = false;

  constructor() {
    super("");
  }

  write(): void {
    if (this.isAnswered) return;
    this.isAnswered = true;
    this.receive(Buffer.from(ANSWER));
  }
}
