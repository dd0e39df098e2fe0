import type { Reason } from "../domain/checks/observation.ts";

/** Thrown where a target can't be reached. */
export class ProbeError extends Error {
  override readonly name = "ProbeError";

  constructor(
    readonly reason: Reason,
    message: string,
  ) {
    super(message);
  }
}

const unreachable = ["unreachable", "there is no way through the network to the server"] as const;
const reset = ["reset", "the server broke the connection off"] as const;

const explanations: Record<string, readonly [Reason, string]> = {
  // Bun 1.4.5 says this of what the network can't reach, too (oven-sh/bun#37093).
  ECONNREFUSED: [
    "refused",
    "the connection was refused: nothing listens on that port, or no way leads to it",
  ],
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
  EPERM: unreachable,
  EINVAL: [
    "unreachable",
    "no connection to that address is possible: a link-local one needs a zone (fe80::1%eth0)",
  ],
  ERR_SSL_WRONG_VERSION_NUMBER: ["tls_failed", "the server does not speak TLS on that port"],
};

/** The errors of a lack of descriptors, memory or ports in this process or system. */
const SHORTAGES = new Set(["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", "EAGAIN"]);

export function isShortage(error: unknown): boolean {
  return SHORTAGES.has((error as NodeJS.ErrnoException).code ?? "");
}

/**
 * What a failure of a socket says of the target; nothing where it says something of us only, such as a full table of
 * file descriptors.
 */
export function asProbeError(error: unknown): ProbeError | undefined {
  if (error instanceof ProbeError) return error;
  const { code = "" } = error as NodeJS.ErrnoException;
  const [reason, message] = explanations[code] ?? [];
  if (reason) return new ProbeError(reason, message ?? code);
  return /^(ERR_SSL_|EPROTO)/.test(code)
    ? new ProbeError("tls_failed", `the server and this one could not agree on TLS: ${code}`)
    : undefined;
}
