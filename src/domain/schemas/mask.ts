/** What a response shows instead of a secret, and what a request sends to keep a stored one (behavior 10.20, 10.22). */
export const MASK = "•••";
