/** The purpose of a challenge: a passkey that is added, a sign-in, or the acceptance of an invitation (behavior 19.53). */
export type ChallengeKind = "register" | "sign_in" | "invite";

/** A challenge holds for so many milliseconds (behavior 19.53). */
export const CHALLENGE_LENGTH = 5 * 60 * 1000;
