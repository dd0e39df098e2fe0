import { UsageError } from "../config.ts";
import { AppError, StorageFault } from "../errors.ts";
import { systemFault } from "../system-error.ts";

/** Why a command failed. @property isMisuse whether the command line or a setting is wrong */
export interface Failure {
  message: string;
  isMisuse: boolean;
}

/** @returns undefined for a fault of stillup itself */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof UsageError) return { message: error.message, isMisuse: true };
  if (error instanceof AppError) return { message: error.message, isMisuse: error.kind === "invalid" };
  if (error instanceof StorageFault) return { message: error.message, isMisuse: false };
  if ((error as NodeJS.ErrnoException).code === undefined) return undefined;
  return { message: systemFault(error as NodeJS.ErrnoException), isMisuse: false };
}

/** Why a server could not be reached, by the code of the runtime, whose texts are for its developers. */
const reasons: Record<string, string> = {
  // Bun 1.4.5 also reports an unreachable network with this code.
  ECONNREFUSED: "the connection was refused: nothing listens on that port, or there is no route to the host",
  ECONNRESET: "the server closed the connection: if it serves HTTPS, the URL must begin with https://",
  ENOTFOUND: "the name of the host does not exist",
  EPROTO:
    "the server does not speak TLS on that port: if it serves plain HTTP, the URL must begin with http://",
};

/**
 * Why a request to a server failed (behavior 9.104).
 *
 * @param error of `fetch` @param timeout of the request, in milliseconds
 */
export function serverFault(error: unknown, timeout: number): string {
  const { name, code = "", message } = error as NodeJS.ErrnoException;
  if (name === "TimeoutError") return `no answer within ${timeout / 1000} s`;
  if (/CERT|UNABLE_TO_|ALTNAME|CRL_|HOSTNAME_MISMATCH/.test(code))
    return `its certificate can't be verified: ${message}`;
  return reasons[code] ?? message.replace(/^E[A-Z0-9]+: /, "");
}
