import type { Logger } from "../log.ts";
import type { LinkError, LinkProblem } from "./server-link.ts";

/** The outcome of the last request: `new` before the first one has ended, `up`, or why it failed. */
export type ConnectionState = "new" | "up" | Exclude<LinkProblem, "batch_refused">;

/** The state of the connection to the server, as all requests show it together. */
export interface Connection {
  state(): ConnectionState;
  succeeded(): void;
  failed(error: LinkError): void;
  /** @param listener called after each change */
  onChange(listener: (state: ConnectionState) => void): void;
}

/** @param waiting how many observations wait to be sent, for the log */
export function createConnection({ log, waiting }: { log: Logger; waiting: () => number }): Connection {
  const listeners: ((state: ConnectionState) => void)[] = [];
  let state: ConnectionState = "new";

  function become(next: ConnectionState, note: () => void): void {
    if (next === state) return;
    note();
    state = next;
    for (const listener of listeners) listener(state);
  }

  return {
    state: () => state,
    succeeded() {
      become("up", () => {
        if (state !== "new") log.info({ waiting: waiting() }, "the server takes observations again");
      });
    },
    failed({ problem, message }) {
      if (problem === "batch_refused") return;
      become(problem, () => NOTES[problem](log, message));
    },
    onChange: (listener) => void listeners.push(listener),
  };
}

const NOTES: Record<Exclude<LinkProblem, "batch_refused">, (log: Logger, reason: string) => void> = {
  away: (log, reason) =>
    log.warn({ reason }, "the server can't be reached: observations are kept, and sent later"),
  key_refused: (log) =>
    log.error("the server does not accept the key: nothing is checked. Was the location deleted?"),
  incompatible: (log, reason) =>
    log.error({ reason }, "the server and this probe do not understand each other"),
};
