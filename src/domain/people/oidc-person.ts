import { Check } from "@sinclair/typebox/value";
import { Email, PersonName } from "../schemas/format.ts";

/** A person according to the claims of a provider. */
export interface ClaimedPerson {
  subject: string;
  /** Undefined if there is none, or none to which a person could be invited. */
  email: string | undefined;
  isEmailVerified: boolean;
  name: string | undefined;
}

/** As OpenID Connect limits it. */
const MAX_SUBJECT = 255;

/**
 * Behavior 19.66: only the boolean `true` says that an address is verified.
 *
 * @returns undefined if the subject is not acceptable
 */
export function personIn(claims: Record<string, unknown>): ClaimedPerson | undefined {
  const { sub, email, email_verified, name } = claims;
  if (typeof sub !== "string" || sub === "" || sub.length > MAX_SUBJECT || /\p{Cc}/u.test(sub))
    return undefined;
  return {
    subject: sub,
    email: Check(Email, email) ? email.trim() : undefined,
    isEmailVerified: email_verified === true,
    name: Check(PersonName, name) ? name.trim() : undefined,
  };
}
