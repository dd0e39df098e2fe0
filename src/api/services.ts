import type { DeliverySettings } from "../alerts/delivery-settings.ts";
import type { Database } from "../db/open.ts";
import type { Logger } from "../log.ts";
import type { Callers } from "../runner/callers.ts";
import type { Recorder } from "../runner/recorder.ts";

/** What the routes work with. */
export interface Services {
  db: Database;
  callers: Callers;
  recorder: Recorder;
  log: Logger;
  /** Told when a monitor may have become due. */
  onDue: () => void;
  /** How channels are reached, to try them. */
  delivery: DeliverySettings;
  /** Where users reach the server; known once it listens. */
  baseUrl: () => string;
}
