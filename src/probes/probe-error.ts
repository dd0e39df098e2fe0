import {
  type Certificate,
  faultWords,
  handshakeWords,
  isCertificateFault,
} from "../domain/checks/certificate.ts";
import type { PingFacts } from "../domain/checks/judge.ts";
import type { OwnReason, Reason, Sample } from "../domain/checks/observation.ts";

/** Thrown if a target cannot be reached. */
export class ProbeError extends Error {
  override readonly name = "ProbeError";

  constructor(
    readonly reason: Reason,
    message: string,
    /** Further details of the target in the result. */
    readonly seen: {
      statusCode?: number;
      /** The number of a refusal. */
      code?: number;
      latencyMs?: number;
      certificate?: Certificate;
      sample?: Sample;
      ping?: PingFacts;
      /** The code of a failed handshake. */
      tlsError?: string;
      /** Whether there may be no route, although the system reports a refusal. */
      mayBeUnreachable?: true;
      /** Whether the server speaks another protocol. */
      isForeign?: true;
    } = {},
  ) {
    super(message);
  }
}

/** Thrown if a host can't be reached, which the message names. */
export class HostError extends ProbeError {
  constructor(
    reason: Reason,
    host: string,
    private readonly messageAbout: (host: string) => string,
  ) {
    super(reason, messageAbout(host));
  }

  /** The same error without the name of the host. */
  about(unnamed: string): HostError {
    return new HostError(this.reason, unnamed, this.messageAbout);
  }
}

/** Thrown if something between this machine and the target failed: the check is inconclusive. */
export class AccessError extends Error {
  override readonly name = "AccessError";

  /** @param message without any text of whoever failed, and without secrets */
  constructor(
    readonly reason: OwnReason,
    message: string,
  ) {
    super(message);
  }
}

const unreachable = ["unreachable", "there is no route to the host"] as const;

const reset = ["reset", "the server reset the connection"] as const;

const explanations: Record<string, readonly [Reason, string]> = {
  // Bun 1.4.5 also reports an unreachable network with this code (oven-sh/bun#37093): the connector tells them apart.
  ECONNREFUSED: ["refused", "the connection was refused: nothing listens on that port"],
  ECONNRESET: reset,
  ECONNABORTED: reset,
  EPIPE: reset,
  ETIMEDOUT: ["timeout", "the server did not answer the attempt to connect"],
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  EHOSTDOWN: unreachable,
  ENETDOWN: unreachable,
  EAFNOSUPPORT: unreachable,
  EACCES: unreachable,
  EINVAL: [
    "unreachable",
    "the address is not valid for a connection: a link-local address needs a zone (fe80::1%eth0)",
  ],
  ERR_SSL_WRONG_VERSION_NUMBER: ["tls_failed", "the server does not speak TLS on that port"],
};

/** Errors that mean a lack of descriptors, memory or ports in this process or system. */
const SHORTAGES = new Set(["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", "EAGAIN"]);

export function isShortage(error: unknown): boolean {
  return SHORTAGES.has((error as NodeJS.ErrnoException).code ?? "");
}

/**
 * Turns the error of a socket into a ProbeError.
 *
 * @returns undefined if the error is a fault of this machine, for example a full table of file descriptors
 */
export function asProbeError(error: unknown): ProbeError | undefined {
  if (error instanceof ProbeError) return error;
  const { code = "" } = error as NodeJS.ErrnoException;
  const [reason, message] = explanations[code] ?? [];
  if (reason)
    return new ProbeError(reason, message ?? code, reason === "tls_failed" ? { tlsError: code } : {});
  return /^(ERR_SSL_|EPROTO)/.test(code)
    ? new ProbeError("tls_failed", failedHandshake(code), { tlsError: code })
    : undefined;
}

/** @param code of the TLS library, or of a certificate; empty if there is none */
export function failedHandshake(code: string): string {
  return `the TLS handshake failed${why(code)}`;
}

function why(code: string): string {
  if (isCertificateFault(code)) return `: the certificate is not valid, ${faultWords(code)}`;
  return /^ERR_(SSL|OSSL|TLS)_/.test(code) ? `: ${handshakeWords(code)}` : "";
}
