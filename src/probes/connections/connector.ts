import { connect, isIP, type Socket } from "node:net";
import { createSecureContext, DEFAULT_CIPHERS } from "node:tls";
import type { SocketHandler } from "bun";
import { descriptorLimit } from "../../descriptors.ts";
import { asciiName } from "../dns/resolve.ts";
import type { Lifetime } from "../lifetime.ts";
import { ProbeError } from "../probe-error.ts";
import { Connection, destroy, EndedConnection, nodeConnection, Parting } from "./connection.ts";
import { attemptConnection } from "./connection-attempt.ts";
import {
  type AskedTls,
  type ClientCertificate,
  closed,
  handshakeError,
  type IssuedCertificate,
  NodeTlsConnection,
  readTls,
  type Secured,
  type Securing,
  type ShownTls,
  shownToServer,
} from "./handshake.ts";
import type { OpenSockets } from "./network.ts";

/** Whoever counts the attempts and the sockets of Bun. */
interface Attempts {
  /** The attempt has an answer, so that its socket can be closed. */
  answered(): void;
  /** The attempt has no answer, and nobody waits for it any more. */
  abandoned(attempt: BunConnection): void;
  /** The socket is closed. */
  closed(): void;
}

const NOTHING = Buffer.alloc(0);

/** An attempt of Bun to connect, and then its connection. Bun can't cancel an attempt. */
class BunConnection extends Connection {
  readonly port: number;
  protected socket: Bun.Socket<BunConnection> | undefined = undefined;
  private isWaiting = true;
  private isClosed = false;
  private parting: Parting | undefined;
  /** Bun writes as much as the send buffer has room for. */
  private unsent: Buffer = NOTHING;

  constructor(
    { address, port }: Endpoint,
    private readonly attempts: Attempts,
  ) {
    super(address);
    this.port = port;
  }

  /** Connects. @throws the error of the attempt */
  connect(): Promise<unknown> {
    return Bun.connect({ hostname: this.address, port: this.port, data: this, socket: handlers });
  }

  write(data: string | Buffer): void {
    if (this.unsent.length > 0) {
      this.send(Buffer.concat([this.unsent, bytesOf(data)]));
      return;
    }
    const written = Math.max(0, this.socket?.write(data) ?? 0);
    if (written < Buffer.byteLength(data)) this.unsent = bytesOf(data).subarray(written);
  }

  drain(): void {
    if (this.unsent.length > 0) this.send(this.unsent);
  }

  opened(socket: Bun.Socket<BunConnection>): void {
    this.socket = socket;
    this.answered();
  }

  failed(): void {
    this.answered();
  }

  override leave(goodbye: string | Buffer): void {
    if (this.hasEnded || this.parting) return;
    this.write(goodbye);
    this.takeReceived();
    this.parting = new Parting(() => this.release());
    this.socket?.shutdown();
    // Bytes for which the send buffer has no room are lost: a server that reads so little does not wait for a goodbye.
    this.parting.sent();
  }

  protected override pause(): void {
    this.socket?.pause();
  }

  protected override resume(): void {
    if (!this.isClosed) this.socket?.resume();
  }

  override close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    if (this.parting) return;
    super.close();
    if (this.isWaiting) this.attempts.abandoned(this);
    else this.release();
  }

  override receive(chunk: Buffer): void {
    if (this.parting) this.parting.received(chunk.length);
    else if (!this.isClosed) super.receive(chunk);
  }

  override finish(error?: Error): void {
    super.finish(error);
    this.parting?.end();
  }

  protected release(): void {
    // With TLS, `end` would wait for the peer.
    this.socket?.close();
    this.attempts.closed();
  }

  private answered(): void {
    this.isWaiting = false;
    this.attempts.answered();
    if (this.isClosed) this.release();
  }

  private send(bytes: Buffer): void {
    this.unsent = bytes.subarray(Math.max(0, this.socket?.write(bytes) ?? 0));
  }
}

/** Shared by all connections, because Bun checks them for each new object. */
const handlers: SocketHandler<BunConnection> = {
  open: (socket) => socket.data.opened(socket),
  connectError: (socket) => socket.data.failed(),
  data: (socket, chunk) => socket.data.receive(chunk),
  drain: (socket) => socket.data.drain(),
  close: (socket, error) => socket.data.finish(error),
};

function bytesOf(data: string | Buffer): Buffer {
  return typeof data === "string" ? Buffer.from(data) : data;
}

const REFUSED_OR_UNREACHABLE =
  "the connection was refused: nothing listens on that port, or there is no route to the host";

export interface Endpoint {
  /** An IP address. */
  address: string;
  port: number;
}

/** Maximum number of silent endpoints that are remembered. */
const MAX_SILENT = 50_000;

/** How much longer than the refused attempt the one may take that confirms the refusal; milliseconds. */
const REFUSAL_PATIENCE = 500;

/** How many attempts of Bun may have no answer yet. */
const MAX_UNANSWERED = Math.min(200, Math.floor(descriptorLimit() / 10));

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

  /** @param assertAllowed throws for an endpoint that must not be connected to */
  constructor(
    private readonly openSockets: OpenSockets,
    private readonly assertAllowed: (endpoint: Endpoint) => void = () => {},
  ) {}

  /** Opens a connection that closes at the end of a lifetime. */
  connect(endpoint: Endpoint, lifetime: Lifetime): Promise<Connection> {
    return this.confirmed(endpoint, () => this.open(endpoint, lifetime));
  }

  /** Opens a connection that is to use TLS. */
  connectTls(endpoint: Endpoint, asked: AskedTls, lifetime: Lifetime): Promise<Securing> {
    return this.confirmed(endpoint, () => this.openTls(endpoint, asked, lifetime));
  }

  /** Opens a socket of `node:net`, which `node:tls` can use; it closes at the end of a lifetime. */
  connectSocket(endpoint: Endpoint, lifetime: Lifetime): Promise<Socket> {
    return this.confirmed(endpoint, () => this.openSocket(endpoint, lifetime));
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
  private async confirmed<Opened>(endpoint: Endpoint, open: () => Promise<Opened>): Promise<Opened> {
    this.assertAllowed(endpoint);
    const start = performance.now();
    return open().catch((error) => this.explained(endpoint, error, performance.now() - start));
  }

  /** @param took milliseconds until the error @throws what it means */
  private async explained(endpoint: Endpoint, error: unknown, took: number): Promise<never> {
    if ((error as NodeJS.ErrnoException).code !== "ECONNREFUSED") throw error;
    const outcome = await attemptConnection(endpoint, took + REFUSAL_PATIENCE);
    if (outcome === "refused") throw error;
    if (outcome === "forbidden") throw forbidden(endpoint);
    if (outcome === "unreachable" || outcome === "silent")
      throw Object.assign(new Error(`${endpoint.address} is ${outcome}`), { code: "EHOSTUNREACH" });
    throw new ProbeError("refused", REFUSED_OR_UNREACHABLE, { mayBeUnreachable: true });
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
    return !isSilent && this.unanswered < MAX_UNANSWERED;
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
    const { host, alpn, client } = this.asked;
    const name = asciiName(host);
    return Bun.connect<BunTlsConnection>({
      hostname: this.address,
      port: this.port,
      data: this,
      socket: tlsHandlers,
      // SNI must not contain an IP address, and `127.1` is one. Without a name, Bun compares the address.
      tls: {
        serverName: isIP(name) ? "" : name,
        rejectUnauthorized: false,
        ...(alpn !== undefined && { ALPNProtocols: protocolList(alpn) }),
        ...contextFor(client),
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
      const shown = shownBy(socket, code);
      this.secured.resolve({ connection: this, fault: code, tls: readTls(shown), shown });
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
    // An error takes long to create, and nobody would get it.
    if (!this.isShaken) this.secured.reject(error ? handshakeError(error) : closed());
    super.finish(error && named(error));
  }
}

let withoutClient: { secureContext: unknown } | undefined;

/**
 * The context of TLS. Bun creates a context of 50 kB for each connection while no other one has an equal context. Checks without a
 * client certificate share one. A context holds nothing of a server and no session, and all trust what the process read at its start.
 */
function contextFor(client: ClientCertificate | undefined): object {
  if (client) return { ciphers: DEFAULT_CIPHERS, ...shownToServer(client) };
  // Bun takes it too, but its types do not name it.
  withoutClient ??= { secureContext: createSecureContext({ ciphers: DEFAULT_CIPHERS }).context };
  return withoutClient;
}

/** A list of one (RFC 7301, 3.1). */
function protocolList(protocol: string): string {
  return String.fromCharCode(protocol.length) + protocol;
}

function shownBy(socket: Bun.Socket<BunTlsConnection>, fault: string | undefined): ShownTls {
  return {
    certificate: socket.getPeerX509Certificate(),
    cipher: socket.getCipher(),
    protocol: socket.getTLSVersion(),
    fault,
    issuer: () => fullCertificateOf(socket)?.issuerCertificate,
  };
}

/** The argument is not in the types, and is the opposite of the argument in `node:tls`. */
function fullCertificateOf(socket: object) {
  const { getPeerCertificate } = socket as {
    getPeerCertificate(isAbbreviated: boolean): IssuedCertificate | undefined;
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
