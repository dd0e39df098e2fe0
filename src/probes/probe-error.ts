import type { Reason } from "../domain/observation.ts";

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

const REASONS: Record<string, Reason> = {
  ECONNREFUSED: "refused",
  ECONNRESET: "reset",
  EPIPE: "reset",
  ETIMEDOUT: "timeout",
  EHOSTUNREACH: "unreachable",
  ENETUNREACH: "unreachable",
  EHOSTDOWN: "unreachable",
  ENETDOWN: "unreachable",
};

/**
 * What a failure of a socket says of the target; nothing where it says something of us only, such as a full table of
 * file descriptors.
 */
export function asProbeError(error: unknown): ProbeError | undefined {
  if (error instanceof ProbeError) return error;
  const { code = "", message } = error as NodeJS.ErrnoException;
  const reason = REASONS[code];
  return reason && new ProbeError(reason, message);
}
