import type { PingAccess } from "../domain/locations/ping-access.ts";
import type { BatchAnswer, ObservationBatch, Work } from "../domain/locations/protocol.ts";

/** Requests of a remote probe to its server. */
export interface ServerLink {
  /**
   * The work of the location. The server holds the request while there is nothing new.
   *
   * @throws LinkError
   */
  poll(query: PollQuery, signal: AbortSignal): Promise<Work>;
  /** @throws LinkError */
  send(batch: ObservationBatch): Promise<BatchAnswer>;
}

/** See `WorkQuery`. Without a revision, the request is answered at once with all monitors. */
export interface PollQuery {
  revision?: number;
  after?: number;
  waiting: number;
  dropped: number;
  ping: PingAccess;
}

/**
 * Why a request failed.
 *
 * - `away`: the server can't be reached, or can't take the request now.
 * - `key_refused`: the key belongs to no location, for example because it was deleted.
 * - `incompatible`: the server and the probe do not understand each other.
 * - `batch_refused`: the server takes the probe, but not this batch.
 */
export type LinkProblem = "away" | "key_refused" | "incompatible" | "batch_refused";

export class LinkError extends Error {
  override readonly name = "LinkError";

  /** @param retryAfter milliseconds after which the server wants the request again */
  constructor(
    readonly problem: LinkProblem,
    message: string,
    readonly retryAfter = 0,
  ) {
    super(message);
  }
}
