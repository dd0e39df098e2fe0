import type { Claimant } from "../../../src/store/store.ts";

/** The claims of a server process that has the database to itself. */
export const alone: Claimant = { node: 1, place: 0, nodes: 1 };
