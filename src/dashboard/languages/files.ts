import type { Room } from "./english.ts";

/**
 * The rooms whose texts a script of the page needs, in one file for each language (behavior 27.4). `shared` is for the lists, and for
 * what forms and other scripts have in common with them. A test asserts that each script loads the files of the rooms that it reads.
 */
export const TEXT_FILES = {
  start: ["common", "app", "ui", "status", "overview"],
  tools: ["tools", "palette"],
  account: ["signIn"],
  shared: [
    ...["form", "results", "alerts", "bindings", "pages", "maintenance", "outages", "incidents", "reports"],
    ...["replay", "audit", "monitors", "monitorForm", "evidence", "locations"],
  ],
  forms: ["steps", "onCall", "people", "accounts", "server", "bulk", "config", "discovery"],
  /** With the forms, and for a refusal elsewhere. */
  faults: ["faults"],
  wall: ["wall"],
  hindsight: ["hindsight"],
  /** Loaded by the service worker (behavior 27.5). */
  worker: ["worker"],
} as const satisfies Record<string, readonly Room[]>;

export type TextFile = keyof typeof TEXT_FILES;
