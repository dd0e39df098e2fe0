import { X509Certificate } from "node:crypto";
import type { Reason } from "../../domain/checks/observation.ts";
import { type ClientCertificate, validityOf } from "../connections/handshake.ts";
import type { ProbeContext } from "../observe.ts";
import { systemProbeClock } from "../probe-clock.ts";
import { ProbeError } from "../probe-error.ts";

/** Ways in which a server refuses a client: some servers only close the connection, and others answer over HTTP. */
const REFUSALS: ReadonlySet<Reason> = new Set(["tls_failed", "closed", "reset", "unexpected"]);

/** Runs a check with a client certificate. A failure says so if this certificate is not valid now (behavior 26.14). */
export async function withOwnCertificate<T>(
  client: ClientCertificate,
  context: ProbeContext,
  check: () => Promise<T>,
): Promise<T> {
  try {
    return await check();
  } catch (error) {
    // The host of a redirect may not have got the certificate.
    if (!(error instanceof ProbeError) || !REFUSALS.has(error.reason) || context.isRedirected) throw error;
    const fault = faultOf(client, systemProbeClock.now());
    if (fault === null) throw error;
    throw new ProbeError(error.reason, `${error.message}; ${fault}`, error.seen);
  }
}

/** @param now milliseconds since 1970 */
function faultOf({ certificate }: ClientCertificate, now: number): string | null {
  const { validFrom, validTo } = validityOf(new X509Certificate(certificate).raw);
  if (now >= validTo.getTime()) return `the client certificate of this monitor expired on ${dayOf(validTo)}`;
  if (now < validFrom.getTime())
    return `the client certificate of this monitor is only valid from ${dayOf(validFrom)} on`;
  return null;
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
