import type { DeliverySettings } from "../../alerts/delivery-settings.ts";
import type { Logger } from "../../log.ts";
import type { Authenticator } from "../../runner/authenticator.ts";
import type { ChangeFeed } from "../../runner/change-feed.ts";
import type { testMonitor } from "../../runner/checks/monitor-test.ts";
import type { Recorder } from "../../runner/checks/recorder.ts";
import type { TestLimit } from "../../runner/checks/test-limit.ts";
import type { HealthReport } from "../../runner/health.ts";
import type { Gauges } from "../../runner/metrics/gauges.ts";
import type { Metrics } from "../../runner/metrics/metrics.ts";
import type { Database } from "../../store/sqlite/open.ts";
import type { Store } from "../../store/store.ts";

/** A file of the web page. @property encoding in which the body is, where it is compressed */
interface PageFile {
  body: Uint8Array;
  type: string;
  encoding?: string;
}

/** What the routes work with. */
export interface Services {
  store: Store;
  db: Database;
  callers: Authenticator;
  recorder: Recorder;
  log: Logger;
  watch: ChangeFeed;
  health: () => HealthReport;
  metrics: Metrics;
  readProcess: () => Gauges;
  /** Bounds the tests of monitors and channels. */
  trials: TestLimit;
  /** Checks a target once and records nothing. */
  tryMonitor: (target: Parameters<typeof testMonitor>[1]) => ReturnType<typeof testMonitor>;
  /** Finds a file of the page, `/` being the page itself, in a form that the browser accepts. */
  page: {
    find(path: string, accepted: string): Promise<PageFile | undefined>;
    preloads(): Promise<string[]>;
  };
  /** Told when a monitor may have become due. */
  onDue: () => void;
  /** How channels are reached, to try them. */
  delivery: DeliverySettings;
  /** The base URL that was set, if any. */
  publicUrl?: string | undefined;
  /** Where users reach the server; known once it listens. */
  baseUrl: () => string;
}
