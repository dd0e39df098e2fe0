import { Connection } from "../../../src/probes/connections/connection.ts";
import type { Network } from "../../../src/probes/connections/network.ts";
import { asciiName } from "../../../src/probes/dns/resolve.ts";
import { HostError } from "../../../src/probes/probe-error.ts";
import { split } from "../bytes/pieces.ts";
import type { Exchange } from "./input.ts";

/** The only name that has an address. */
export const KNOWN_HOST = "target.test";

const ADDRESS = "127.0.0.1";

/** A network without sockets: each connection gets the next exchange. */
export class ScriptedNetwork {
  readonly connections: ScriptedConnection[] = [];

  /** @param onSilence called if the check waits for bytes that never arrive */
  constructor(
    private readonly exchanges: Exchange[],
    private readonly onSilence: () => void,
  ) {}

  /** The parts that a check over HTTP uses. */
  asNetwork(): Network {
    const connect = async () => this.connect();
    const connectTls = async () => ({
      shakeHands: async () => ({ connection: this.connect(), fault: undefined, tls: undefined }),
    });
    const addresses = (host: string) => (isKnown(host) ? [ADDRESS] : Promise.reject(unknownHost(host)));
    const scripted = {
      connector: { connect, connectTls },
      isAllowed: () => true,
      addressesOf: addresses,
      resolve: async (host: string) => addresses(host),
    };
    return scripted as unknown as Network;
  }

  private connect(): Connection {
    const exchange = this.exchanges[this.connections.length];
    if (!exchange) throw Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
    const connection = new ScriptedConnection(exchange, this.onSilence);
    this.connections.push(connection);
    return connection;
  }
}

function isKnown(host: string): boolean {
  return host === ADDRESS || host === KNOWN_HOST;
}

function unknownHost(host: string): HostError {
  return new HostError("dns_not_found", asciiName(host), (name) => `${name} has no address in the DNS`);
}

/** A connection whose server answers whatever it is asked. */
export class ScriptedConnection extends Connection {
  sent = "";
  reads = 0;
  /** Bytes that the check has taken. */
  taken = 0;
  readonly pieces: string[];
  private next = 0;

  constructor(
    private readonly exchange: Pick<Exchange, "bytes" | "cuts" | "arrival" | "end">,
    private readonly onSilence: () => void,
  ) {
    super(ADDRESS);
    this.pieces = split(exchange.bytes, exchange.cuts);
    if (exchange.arrival === "before") while (this.hasMore()) this.arrive();
  }

  write(data: string | Buffer): void {
    this.sent += data.toString();
  }

  override readBytes(): Promise<Buffer | undefined> {
    this.reads++;
    // A piece that arrived before is there for the first read.
    const isThere = this.reads === 1 && this.next > 0;
    if (this.exchange.arrival === "late") queueMicrotask(() => this.arrive());
    else if (!isThere) this.arrive();
    return super.readBytes();
  }

  private hasMore(): boolean {
    return this.next < this.pieces.length + (this.exchange.end === "open" ? 0 : 1);
  }

  private arrive(): void {
    const piece = this.pieces[this.next++];
    if (piece !== undefined) {
      this.taken += piece.length;
      this.receive(Buffer.from(piece, "latin1"));
    } else if (this.exchange.end === "open") this.onSilence();
    else if (this.exchange.end === "close") this.finish();
    else this.finish(Object.assign(new Error("reset"), { code: "ECONNRESET" }));
  }
}
