/** What a response shows instead of a secret, and what a request sends to keep a stored one (behavior 10.27, 10.28). */
export const MASK = "•••";
