/** A response shows it instead of a secret, and a request sends it to keep a stored one (behavior 10.27, 10.28). */
export const MASK = "•••";
