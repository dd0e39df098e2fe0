import { expect, test } from "bun:test";
import { join } from "node:path";
import { START_ORDER } from "../../scripts/package/compile.ts";
import { recordStart } from "../../scripts/package/start-order.ts";
import { archiveOf, unpack } from "../support/release/release.ts";
import { tempDir } from "../support/temp-dir.ts";

/** The share of the used functions that must be recorded. The others are read from behind the recorded ones, so a few cost nothing. */
const RECORDED = 0.9;

test("most functions that a start uses are at the front of the executable: otherwise run scripts/package/start-order.ts after a build", async () => {
  using dir = tempDir();
  const program = join(await unpack(archiveOf("linux-x64"), dir.path), "stillup");
  const recorded = new Set((await Bun.file(START_ORDER).text()).split("\n"));
  const used = await recordStart(program);
  expect(used.filter((line) => recorded.has(line)).length / used.length).toBeGreaterThan(RECORDED);
}, 120_000);
