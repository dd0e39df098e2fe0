import { afterEach, beforeEach, expect, test } from "bun:test";
import type { EvidenceLook } from "../../src/domain/evidence/asked-look.ts";
import type { ObservationBatch } from "../../src/domain/locations/protocol.ts";
import { createLogger } from "../../src/log.ts";
import { LinkError } from "../../src/remote-probe/http-link.ts";
import { createConnection } from "../../src/remote-probe/remote-probe.ts";
import { createRetryDelay, createSender, type Sender } from "../../src/remote-probe/sender.ts";
import type { ObservationBuffer } from "../../src/store/buffer/observation-buffer.ts";
import { openProbeStore, type ProbeStore } from "../../src/store/buffer/probe-store.ts";
import { createTestClock, type TestClock } from "../support/clock.ts";
import { type TempDir, tempDir } from "../support/temp-dir.ts";

const log = createLogger({ level: "silent" });
const HOUR = 3_600_000;

let dir: TempDir;
let store: ProbeStore;
let buffer: ObservationBuffer;
let clock: TestClock;
let sender: Sender;
let connection: ReturnType<typeof createConnection>;
let sent: { at: number; batch: ObservationBatch }[];
let problem: LinkError | undefined;
let asked: EvidenceLook[];
let looks: EvidenceLook[] | undefined;

beforeEach(() => {
  dir = tempDir();
  clock = createTestClock();
  store = openProbeStore(dir.path);
  buffer = store.openBuffer({ now: clock.now(), onFault() {} });
  connection = createConnection({ log, waiting: buffer.waiting });
  sent = [];
  problem = undefined;
  [asked, looks] = [[], undefined];
  const send = async (batch: ObservationBatch) => {
    sent.push({ at: clock.monotonic(), batch });
    if (problem) throw problem;
    const counts = { recorded: batch.observations.length, repeated: 0, ignored: 0, refused: 0 };
    return { now: clock.now(), ...counts, ...(looks && { looks }) };
  };
  const [retry, addTime] = [createRetryDelay(() => 1), () => {}];
  const stream = store.stream();
  const given = { link: { send }, buffer, stream, clock, connection, retry, addTime, log };
  sender = createSender({ ...given, onLooks: (looks) => asked.push(...looks) });
  sender.start();
});
afterEach(() => {
  store.close();
  dir[Symbol.dispose]();
});

/** @param age milliseconds */
function see(monitorId: string, { age = 0, isUrgent = false } = {}): void {
  const at = clock.now() - age;
  buffer.add({ monitorId, revision: 1, at, startAt: at, evidence: { outcome: "reached" } });
  sender.wake(isUrgent);
}

const times = () => sent.map(({ at }) => at);
const names = () => sent.map(({ batch }) => batch.observations.map(({ monitorId }) => monitorId).join(" "));

test("behavior 22.19: takes the looks that the server asks for, and no other", async () => {
  const wanted = { evidenceId: "e1", addresses: ["127.0.0.1"], port: 443 };
  const foreign = [
    { ...wanted, addresses: ["shop.example"] },
    { ...wanted, port: 70_000 },
    { evidenceId: "e2" },
  ];
  looks = [wanted, ...(foreign as EvidenceLook[])];
  see("a", { isUrgent: true });
  await clock.advance(2000);
  expect(asked).toEqual([wanted]);
});

test("behavior 13.44: what is usual is sent within a second, together, and what is urgent at once", async () => {
  see("a");
  await clock.advance(10);
  for (const name of ["b", "c"]) see(name);
  await clock.advance(400);
  expect(names()).toEqual(["a"]);
  await clock.advance(600);
  expect(names()).toEqual(["a", "b c"]);
  see("d");
  await clock.advance(200);
  see("e", { isUrgent: true });
  await clock.settle();
  expect(names()).toEqual(["a", "b c", "d e"]);
});

test("behavior 13.44: urgent ones that follow one another are sent together", async () => {
  for (const name of ["a", "b", "c"]) {
    see(name, { isUrgent: true });
    await clock.advance(30);
  }
  await clock.advance(100);
  expect(names()).toEqual(["a", "b c"]);
});

test("behavior 13.44: fresh observations come first, and a backlog at a pace that the server takes", async () => {
  for (let count = 0; count < 1500; count++)
    buffer.add({ monitorId: "old", revision: 1, at: clock.now() - HOUR + count, startAt: 0, evidence: {} });
  see("new", { isUrgent: true });
  await clock.settle();
  expect(sent[0]?.batch.observations.at(-1)?.monitorId).toBe("new");
  await clock.advance(5000);
  expect(sent.map(({ batch }) => batch.observations.length)).toEqual([500, 500, 500, 1]);
  expect(times()).toEqual([0, 250, 500, 1500]);
});

test("behavior 13.45: while the server is away, batches are repeated ever more slowly, and at once when it is back", async () => {
  problem = new LinkError("away", "gone");
  see("a");
  await clock.settle();
  await clock.advance(4000);
  expect(times()).toEqual([0, 500, 1500, 3500]);
  expect(connection.state()).toBe("away");
  problem = undefined;
  connection.succeeded();
  await clock.settle();
  expect(times()).toEqual([0, 500, 1500, 3500, 4000]);
  expect(buffer.waiting()).toBe(0);
});

test("behavior 13.45: with a key that is not accepted, nothing is sent until it is", async () => {
  problem = new LinkError("key_refused", "no");
  see("a");
  await clock.advance(HOUR);
  expect(sent).toHaveLength(1);
  problem = undefined;
  connection.succeeded();
  await clock.advance(1000);
  expect(sent).toHaveLength(2);
});

test("behavior 13.48: at the end, everything is sent without pauses, unless the server is away", async () => {
  for (let count = 0; count < 1200; count++) see("a");
  await sender.stop(5000);
  expect(buffer.waiting()).toBe(0);
});

test("behavior 13.48: at the end, a server that is away is tried once", async () => {
  problem = new LinkError("away", "gone");
  see("a");
  await clock.advance(100);
  await sender.stop(5000);
  expect(sent).toHaveLength(2);
  expect(buffer.waiting()).toBe(1);
});
