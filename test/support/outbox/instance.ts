import type { deliver } from "../../../src/alerts/deliver.ts";
import { createLogger } from "../../../src/log.ts";
import { createRecorder, type Recorder } from "../../../src/runner/checks/recorder.ts";
import { type AlertReview, createAlertReview } from "../../../src/runner/deliveries/alert-review.ts";
import { createDispatcher } from "../../../src/runner/deliveries/dispatcher.ts";
import { createStorageHealth } from "../../../src/runner/runner.ts";
import { openEngine, type SqliteEngine } from "../../../src/store/sqlite/driver.ts";
import { createStore, type Store } from "../../../src/store/store.ts";
import type { TestClock } from "../clock.ts";
import { alone } from "../store/alone.ts";
import { Life, type MortalClock, mortalClock, mortalStore } from "./life.ts";

/** One process: recorder and dispatcher on the database of a directory. */
export interface Instance {
  life: Life;
  engine: SqliteEngine;
  /** For the requests of users, which are not cut off. */
  store: Store;
  clock: MortalClock;
  recorder: Recorder;
  alertReview: AlertReview;
  startedAt: number;
}

export function startInstance({
  dataDir,
  clock,
  network,
  logged,
  onOpened = () => {},
}: {
  dataDir: string;
  clock: TestClock;
  network: (life: Life) => typeof deliver;
  /** Gets the errors of the log. */
  logged: string[];
  /** Runs when the database is open, and before the process writes to it. */
  onOpened?: (engine: SqliteEngine) => void;
}): Instance {
  const engine = openEngine(dataDir);
  onOpened(engine);
  const store = createStore(engine);
  const life = new Life();
  const own = { clock: mortalClock(clock, life), store: mortalStore(store, { clock, life }) };
  const log = createLogger({ level: "error" }, (line) => {
    const { msg, err } = JSON.parse(line);
    logged.push(`${msg}: ${err?.message}`);
  });
  const dispatcher = createDispatcher({
    ...own,
    claimant: () => alone,
    log,
    settings: { clock: own.clock, resolve: async () => [], baseUrl: () => "https://up.example.com" },
    metrics: { attempted() {} },
    deliver: network(life),
    max: 400,
  });
  const alertReview = createAlertReview({
    ...own,
    log,
    wakeDispatcher: dispatcher.wake,
    // Nothing is checked here.
    wakeScheduler() {},
  });
  const recorder = createRecorder({
    ...own,
    log,
    storage: createStorageHealth(),
    metrics: { committed() {} },
    wakeDispatcher() {
      dispatcher.wake();
      alertReview.wake();
    },
  });
  dispatcher.start();
  alertReview.start();
  return { life, engine, store, clock: own.clock, recorder, alertReview, startedAt: clock.monotonic() };
}
