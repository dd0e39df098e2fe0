import type { Role } from "../accounts/role.ts";
import { iso, isoOrNull } from "../iso-time.ts";

export const PERSON_STATES = ["invited", "active", "disabled"] as const;
export type PersonState = (typeof PERSON_STATES)[number];

/** The ways in which a person can sign in. */
export const METHODS = ["password", "passkey", "oidc"] as const;
export type Method = (typeof METHODS)[number];

/** How a session began: also by a link of the command line, or by another session of the person (behavior 19.6). */
export type SessionMethod = Method | "link" | "session";

/** A person as one organization sees them (behavior 19.1). Times are milliseconds since 1970. */
export interface Person {
  id: string;
  /** Null until known. */
  name: string | null;
  email: string;
  role: Role;
  state: PersonState;
  methods: Method[];
  lastSeenAt: number | null;
  createdAt: number;
}

/** As the API and the command line show a person, with their own channels (behavior 23.34). */
export function personBody({
  lastSeenAt,
  createdAt,
  alertChannelIds,
  ...person
}: Person & { alertChannelIds: string[] }) {
  return {
    ...person,
    alertChannelIds,
    lastSeenAt: isoOrNull(lastSeenAt),
    createdAt: iso(createdAt),
  };
}

/** The part of an e-mail address by which people are compared: only the letters of ASCII ignore case (behavior 19.1). */
export function emailKey(email: string): string {
  return email.trim().replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Seven days for an invitation, an hour for a link of the command line; milliseconds. */
const INVITE_LENGTH = 7 * 24 * 60 * 60 * 1000;
const LINK_LENGTH = 60 * 60 * 1000;

export function inviteEnd(kind: "invite" | "link", now: number): number {
  return now + (kind === "invite" ? INVITE_LENGTH : LINK_LENGTH);
}

/** The session of a person lasts 30 days from its last use (behavior 19.30); milliseconds. */
export const SESSION_LENGTH = 30 * 24 * 60 * 60 * 1000;

/** How long after a sign-in a person may add a way to sign in (behavior 19.32); milliseconds. */
const FRESH_SIGN_IN = 5 * 60 * 1000;

/** A session that began by another session of the person is no sign-in: whoever has the old one made the new one. */
export function isFreshSignIn(
  { method, createdAt }: { method: SessionMethod; createdAt: number },
  now: number,
): boolean {
  return method !== "session" && now - createdAt <= FRESH_SIGN_IN;
}

/** How long a provider of OpenID Connect may take to return somebody (behavior 19.62); milliseconds. */
export const OIDC_ATTEMPT_LENGTH = 10 * 60 * 1000;
