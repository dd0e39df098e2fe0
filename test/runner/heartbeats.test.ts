import { afterEach, beforeEach, expect, test } from "bun:test";
import { createLogger } from "../../src/log.ts";
import { createHeartbeats, type Heartbeats } from "../../src/runner/heartbeats.ts";
import { createRecorder, type Recorder } from "../../src/runner/recorder.ts";
import { shiftClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { Ledger } from "../support/ledger.ts";

let ledger: Ledger;
let recorder: Recorder;
let heartbeats: Heartbeats;
let takesWrites: boolean;

beforeEach(async () => {
  ledger = await Ledger.create();
  takesWrites = true;
  const log = createLogger({ level: "silent", format: "json" });
  const onWrite = (taken: boolean) => {
    takesWrites = taken;
  };
  recorder = createRecorder({ db: ledger.db, log, onNotable: () => {}, onWrite });
  heartbeats = createHeartbeats({ db: ledger.db, recorder, log, takesWrites: () => takesWrites, onWrite });
});

afterEach(async () => {
  await heartbeats.stop();
  ledger[Symbol.dispose]();
});

test("a job that could not check in, because nothing could be written, is not late", async () => {
  const { $client: database } = ledger.db;
  const job = await ledger.job();
  await ledger.checkin(job, "ok");
  await heartbeats.start();
  const deadline = Date.now() + 10_000;
  database.run(`UPDATE monitors SET deadline = ${deadline}`);
  database.run("PRAGMA query_only = ON");
  {
    using _ = shiftClock(15_000);
    await eventually(() => !takesWrites);
    expect(recorder.held()).toBe(0);
    database.run("PRAGMA query_only = OFF");
    const moved = await eventually(() => {
      const [row] = database.query<{ deadline: number }, []>("SELECT deadline FROM monitors").all();
      return row && row.deadline > deadline && row.deadline;
    });
    expect(moved - deadline).toBeWithin(15_000, 25_000);
    await eventually(() => takesWrites);
  }
  expect(await ledger.find(job)).toMatchObject({ status: "ok" });
});
