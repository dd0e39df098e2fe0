import type { DeliveryAttempt } from "../domain/alerts/delivery.ts";
import { ProbeError } from "../probes/probe-error.ts";

type Party = "the receiver" | "the mail server";

/** An attempt that ended without an answer; another one is made. */
export function unanswered(error: string): DeliveryAttempt {
  return { outcome: "failed", error, final: false };
}

/** @param timeout milliseconds */
export function timedOut(timeout: number): DeliveryAttempt {
  return unanswered(`no answer within ${timeout / 1000} s`);
}

/**
 * Why nothing was delivered, without the host in any spelling: whoever may read an outcome or a log may not know where
 * it goes. Hence the words of a failed lookup, which name the host, are never repeated.
 */
export function describeFailure(error: NodeJS.ErrnoException, party: Party): string {
  if (error instanceof ProbeError) return describeLookup(error, party);
  const { name, code, message } = error;
  // Without a code it is an error of this program, whose words hold no secret.
  return `${party} could not be reached: ${code ?? (name === "Error" ? message : name)}`;
}

function describeLookup({ reason, message }: ProbeError, party: Party): string {
  if (reason === "dns_not_found") return `${party} has no address in the DNS`;
  if (reason === "private_target")
    return `${party} is at a private address, and this server does not connect to those (--private-targets deny)`;
  const [fault = ""] = / \([a-z_]+\)$/.exec(message) ?? [];
  return `the DNS gave no answer for ${party}${fault}`;
}
