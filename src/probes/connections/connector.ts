import { connect, isIP, type Socket } from "node:net";
import { DEFAULT_CIPHERS } from "node:tls";
import type { SocketHandler } from "bun";
import { descriptorLimit } from "../../descriptors.ts";
import type { TlsFacts } from "../../domain/checks/observation.ts";
import type { DnsServer } from "../../domain/network/dns-server.ts";
import type { DnsClient } from "../dns/dns-client.ts";
import { asciiName } from "../dns/resolve.ts";
import type { Lifetime } from "../turns.ts";
import { type Attempts, BunConnection, handlers } from "./bun-connection.ts";
import { type Connection, destroy, EndedConnection, nodeConnection } from "./connection.ts";
import { attemptConnection } from "./connection-attempt.ts";
import {
  type AskedTls,
  closed,
  handshakeError,
  NodeTlsConnection,
  readTls,
  type Secured,
  type Securing,
} from "./handshake.ts";
import type { EveryAddress, LookupOptions, Network, OpenSockets } from "./network.ts";

export interface Endpoint {
  /** An IP address. */
  address: string;
  port: number;
}

/** Maximum number of silent endpoints that are remembered. */
const MAX_SILENT = 50_000;

/** How much longer than the refused attempt the one may take that confirms the refusal; milliseconds. */
const REFUSAL_PATIENCE = 500;

/**
 * Opens connections. Bun's sockets connect in half the time of `node:net`, which shows in the latency. But Bun can't
 * cancel an attempt: without an answer, the attempt keeps its descriptor until the system gives up after about two
 * minutes. Therefore `node:net` connects to endpoints that did not answer the last time, and to all endpoints while too
 * many attempts of Bun have no answer.
 */
export class Connector implements Attempts {
  /** The endpoints whose last attempt had no answer. */
  private readonly silent = new Set<string>();
  /** How many attempts of Bun have no answer yet; the checks of some of them have ended. */
  private unanswered = 0;
  private readonly mostUnanswered = Math.min(200, Math.floor(descriptorLimit() / 10));

  /** @param findsUnreachable whether it is certain that what is reported as refused was not unreachable */
  constructor(
    private readonly openSockets: OpenSockets,
    private readonly findsUnreachable = false,
  ) {}

  /** Opens a connection that closes at the end of a lifetime. */
  connect(endpoint: Endpoint, lifetime: Lifetime): Promise<Connection> {
    return this.confirmed(endpoint, this.open(endpoint, lifetime));
  }

  /** Opens a connection that is to use TLS. */
  connectTls(endpoint: Endpoint, asked: AskedTls, lifetime: Lifetime): Promise<Securing> {
    return this.confirmed(endpoint, this.openTls(endpoint, asked, lifetime));
  }

  /** Opens a socket of `node:net`, which `node:tls` can use; it closes at the end of a lifetime. */
  connectSocket(endpoint: Endpoint, lifetime: Lifetime): Promise<Socket> {
    return this.confirmed(endpoint, this.openSocket(endpoint, lifetime));
  }

  answered(): void {
    this.unanswered--;
  }

  abandoned(attempt: Endpoint): void {
    if (this.silent.size >= MAX_SILENT) this.silent.clear();
    this.silent.add(keyOf(attempt));
  }

  closed(): void {
    this.openSockets.close();
  }

  /** Bun may have called an endpoint refused that is unreachable, or forbidden by this machine: see `attemptConnection`. */
  private confirmed<Opened>(endpoint: Endpoint, opening: Promise<Opened>): Promise<Opened> {
    const start = performance.now();
    return opening.catch((error) => this.explained(endpoint, error, performance.now() - start));
  }

  /** @param took milliseconds until the error @throws what it means */
  private async explained(endpoint: Endpoint, error: unknown, took: number): Promise<never> {
    if ((error as NodeJS.ErrnoException).code !== "ECONNREFUSED") throw error;
    const outcome = await attemptConnection(endpoint, took + REFUSAL_PATIENCE);
    if (outcome === "forbidden") throw forbidden(endpoint);
    if (!this.findsUnreachable || (outcome !== "unreachable" && outcome !== "silent")) throw error;
    throw Object.assign(new Error(`${endpoint.address} is ${outcome}`), { code: "EHOSTUNREACH" });
  }

  private open(endpoint: Endpoint, lifetime: Lifetime): Promise<Connection> {
    const opening: Promise<Connection> = this.mayUseBun(endpoint)
      ? this.openByBun(new BunConnection(endpoint, this), lifetime)
      : this.openByNode(endpoint, lifetime).then((socket) => nodeConnection(socket, lifetime));
    return opening.catch((error) => endedIfOpen(endpoint.address, error));
  }

  private openTls(endpoint: Endpoint, asked: AskedTls, lifetime: Lifetime): Promise<Securing> {
    return this.mayUseBun(endpoint)
      ? this.openByBun(new BunTlsConnection(endpoint, asked, this), lifetime)
      : this.openByNode(endpoint, lifetime).then((socket) => new NodeTlsConnection(socket, asked, lifetime));
  }

  private mayUseBun(endpoint: Endpoint): boolean {
    const isSilent = this.silent.size > 0 && this.silent.has(keyOf(endpoint));
    return !isSilent && this.unanswered < this.mostUnanswered;
  }

  private openByBun<C extends BunConnection>(connection: C, lifetime: Lifetime): Promise<C> {
    this.openSockets.open();
    this.unanswered++;
    lifetime.add(connection);
    return connection.connect().then(() => connection);
  }

  private async openByNode(endpoint: Endpoint, lifetime: Lifetime): Promise<Socket> {
    const socket = await this.openSocket(endpoint, lifetime);
    this.silent.delete(keyOf(endpoint));
    return socket;
  }

  private openSocket({ address, port }: Endpoint, lifetime: Lifetime): Promise<Socket> {
    const { promise, resolve, reject } = Promise.withResolvers<Socket>();
    this.openSockets.openUntil(lifetime);
    const socket = connect({ host: address, port });
    lifetime.add({ close: () => destroy(socket) });
    socket.on("error", reject);
    socket.once("connect", () => resolve(socket));
    return promise;
  }
}

/** A fault of this machine, not of the target (behavior 1.64). */
function forbidden({ address, port }: Endpoint): Error {
  const message = `this machine does not allow a connection to ${address} port ${port}: look at its firewall`;
  return Object.assign(new Error(message), { code: "EPERM" });
}

/**
 * A connection that was open, and was reset before it was reported as open. Without a connection, a reset is reported as
 * `ECONNREFUSED`.
 *
 * @throws any other error
 */
function endedIfOpen(address: string, error: unknown): Connection {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== "ECONNRESET" && code !== "EPIPE") throw error;
  return new EndedConnection(address, error as Error);
}

function keyOf({ address, port }: Endpoint): string {
  return `${address} ${port}`;
}

/** Codes of errors of TLS and of the system. The other codes are about certificates. */
const FAILED = /^(E[A-Z]+$|ERR_(SSL|OSSL)_|$)/;

/**
 * A connection of Bun that starts TLS as soon as it is open. A handshake takes half the processor time of one by
 * `node:tls`.
 */
class BunTlsConnection extends BunConnection implements Securing {
  private readonly secured = Promise.withResolvers<Secured>();
  private isShaken = false;

  constructor(
    endpoint: Endpoint,
    private readonly asked: AskedTls,
    attempts: Attempts,
  ) {
    super(endpoint, attempts);
    // Nobody waits for it if another address was faster.
    this.secured.promise.catch(() => {});
  }

  override connect(): Promise<unknown> {
    const { host, alpn } = this.asked;
    const name = asciiName(host);
    return Bun.connect<BunTlsConnection>({
      hostname: this.address,
      port: this.port,
      data: this,
      socket: tlsHandlers,
      // SNI must not contain an IP address, and `127.1` is one. Without a name, Bun compares the address.
      tls: {
        serverName: isIP(name) ? "" : name,
        ciphers: DEFAULT_CIPHERS,
        rejectUnauthorized: false,
        ...(alpn !== undefined && { ALPNProtocols: protocolList(alpn) }),
      },
    });
  }

  override get agreedProtocol(): string | undefined {
    return this.socket?.alpnProtocol || undefined;
  }

  shakeHands(): Promise<Secured> {
    return this.secured.promise;
  }

  /** @param error why the handshake failed, or what is wrong with the certificate */
  shaken(socket: Bun.Socket<BunTlsConnection>, error: NodeJS.ErrnoException | null): void {
    const { code } = error ?? {};
    if (!error || !FAILED.test(code ?? "")) {
      this.isShaken = true;
      this.secured.resolve({ connection: this, fault: code, tls: tlsOf(socket, code) });
    }
    // If the connection has ended, `finish` follows, which knows whether it was reset.
    else if (code !== "ECONNRESET") this.secured.reject(handshakeError(named(error)));
  }

  protected override release(): void {
    // Says that the client closes (close_notify).
    if (this.isShaken) this.socket?.shutdown();
    super.release();
  }

  override finish(error?: Error): void {
    this.secured.reject(error ? handshakeError(error) : closed());
    super.finish(error && named(error));
  }
}

/** A list of one (RFC 7301, 3.1). */
function protocolList(protocol: string): string {
  return String.fromCharCode(protocol.length) + protocol;
}

function tlsOf(socket: Bun.Socket<BunTlsConnection>, fault: string | undefined): TlsFacts | undefined {
  return readTls({
    certificate: socket.getPeerX509Certificate(),
    cipher: socket.getCipher(),
    protocol: socket.getTLSVersion(),
    fault,
    issuer: () => fullCertificateOf(socket).issuerCertificate?.raw,
  });
}

/** The argument is not in the types, and is the opposite of the argument in `node:tls`. */
function fullCertificateOf(socket: object) {
  const { getPeerCertificate } = socket as {
    getPeerCertificate(isAbbreviated: boolean): { issuerCertificate?: { raw: Buffer } };
  };
  return getPeerCertificate.call(socket, false);
}

/** With the code that `node:tls` gives to an error of TLS, for example `ERR_SSL_WRONG_VERSION_NUMBER`. */
function named(error: Error): Error {
  const [, reason] = /^error:[0-9a-f]+:[^:]*:[^:]*:(.+)$/.exec(error.message) ?? [];
  return reason === undefined ? error : Object.assign(error, { code: `ERR_SSL_${reason}` });
}

const tlsHandlers: SocketHandler<BunTlsConnection> = {
  ...handlers,
  handshake: (socket, _, error) => socket.data.shaken(socket, error),
  // After the handshake.
  error: (socket, error) => socket.data.finish(error),
};

/** The network for the check of one address of a host: the first name that is resolved has this address only. */
export class PinnedNetwork implements Network {
  private isPinned = true;

  constructor(
    private readonly network: Network,
    private readonly address: string,
  ) {}

  get dns(): DnsClient {
    return this.network.dns;
  }

  get connector(): Connector {
    return this.network.connector;
  }

  addressesOf(host: string, timeout: number): string[] | Promise<string[]> {
    return this.network.addressesOf(this.pinned(host), timeout);
  }

  async resolve(host: string, options: LookupOptions): Promise<string[]> {
    return this.network.resolve(this.pinned(host), options);
  }

  everyAddressOf(host: string, options: LookupOptions): Promise<EveryAddress> {
    return this.network.everyAddressOf(host, options);
  }

  dnsWith(servers: DnsServer[]): DnsClient {
    return this.network.dnsWith(servers);
  }

  /** An address, which is resolved to itself, and may be refused as private. */
  private pinned(host: string): string {
    const resolved = this.isPinned ? this.address : host;
    this.isPinned = false;
    return resolved;
  }
}
