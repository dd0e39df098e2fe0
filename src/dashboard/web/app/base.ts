/** The path of the base URL, before each path of the server; empty for most. The router adds it by itself. */
export const base = globalThis.document?.documentElement.dataset.base ?? "";
