import { isIP } from "node:net";
import { DEFAULT_CIPHERS } from "node:tls";
import type { SocketHandler } from "bun";
import type { TlsFacts } from "../../domain/checks/tls-facts.ts";
import { asciiName } from "../dns/resolve.ts";
import { type Attempts, BunConnection, handlers } from "./bun-connection.ts";
import type { Endpoint } from "./connector.ts";
import { type AskedTls, closed, handshakeError, type Secured, type Securing } from "./handshake.ts";
import { readTls } from "./tls-facts.ts";

/** Codes of errors of TLS and of the system. The others are about certificates. */
const FAILED = /^(E[A-Z]+$|ERR_(SSL|OSSL)_|$)/;

/**
 * A connection of Bun that starts TLS as soon as it is open. A handshake takes half the processor time of one by
 * `node:tls`.
 */
export class BunTlsConnection extends BunConnection implements Securing {
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
