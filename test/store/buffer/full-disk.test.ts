import { expect, test } from "bun:test";
import { createObservationBuffer } from "../../../src/store/buffer/observation-buffer.ts";
import { openProbeDatabase } from "../../../src/store/buffer/probe-store.ts";
import { tempDir } from "../../support/temp-dir.ts";

const NOW = Date.UTC(2027, 5, 1, 12);

function open(dataDir: string) {
  const database = openProbeDatabase(dataDir);
  const faults: unknown[] = [];
  let recovered = 0;
  const buffer = createObservationBuffer(database.sqlite, {
    droppedBefore: 0,
    now: NOW,
    onFault: (error) => (error ? faults.push(error) : recovered++),
  });
  const add = (monitorId: string, size = 5000) =>
    buffer.add({ monitorId, revision: 1, at: NOW, startAt: NOW, evidence: { text: "x".repeat(size) } });
  return {
    ...database,
    buffer,
    faults,
    add,
    recovered: () => recovered,
    fill: () => void database.sqlite.run("PRAGMA max_page_count = 1"),
    free: () => void database.sqlite.run("PRAGMA max_page_count = 100000"),
    sendable: () => buffer.next({ freshSince: 0, limit: 500 }).map(({ monitorId }) => monitorId),
  };
}

test("behavior 13.46: what the disk does not take is held in memory, sent, and written later", () => {
  using dir = tempDir();
  const disk = open(dir.path);
  disk.add("before");
  disk.fill();
  disk.add("held");
  disk.add("held too");
  expect(disk.faults.length).toBeGreaterThan(0);
  expect(disk.sendable()).toEqual(["before", "held", "held too"]);
  expect(disk.buffer.waiting()).toBe(3);
  disk.free();
  disk.buffer.tidy(NOW);
  expect(disk.recovered()).toBe(1);
  disk.close();
  const again = open(dir.path);
  expect(again.sendable()).toEqual(["before", "held", "held too"]);
  again.close();
});

test("behavior 13.46: what was held and acknowledged is not written", () => {
  using dir = tempDir();
  const disk = open(dir.path);
  disk.fill();
  disk.add("held");
  disk.buffer.delete(disk.buffer.next({ freshSince: 0, limit: 500 }).map(({ sequence }) => sequence));
  disk.free();
  disk.buffer.tidy(NOW);
  expect(disk.buffer.waiting()).toBe(0);
  disk.close();
});

test("behavior 13.46: of more than 10,000 the oldest are dropped, and counted", () => {
  using dir = tempDir();
  const disk = open(dir.path);
  disk.fill();
  // Larger than what is left of a page.
  for (let at = 0; at < 10_003; at++) disk.add(`${at}`, at === 0 ? 5000 : 10);
  expect(disk.buffer.dropped()).toBe(3);
  expect(disk.buffer.waiting()).toBe(10_000);
  disk.close();
});

test("what the disk does not delete is not sent again and again", () => {
  using dir = tempDir();
  const disk = open(dir.path);
  disk.add("stored");
  const [stored] = disk.buffer.next({ freshSince: 0, limit: 500 });
  disk.sqlite.run("PRAGMA query_only = ON");
  disk.buffer.delete([stored?.sequence as number]);
  disk.add("held");
  expect(disk.sendable()).toEqual(["held"]);
  expect(disk.buffer.waiting()).toBe(1);
  disk.sqlite.run("PRAGMA query_only = OFF");
  disk.buffer.tidy(NOW);
  expect(disk.sendable()).toEqual(["held"]);
  disk.close();
});
