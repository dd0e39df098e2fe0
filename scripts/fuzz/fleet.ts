import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FuzzProcess } from "./fuzz-process.ts";
import type { Range } from "./run-range.ts";
import { createAuthorityFile } from "./tls/authority.ts";
import type { RangeReport } from "./worker.ts";

/** Inputs that a process gets at once. */
const RANGE = 10_000;

interface Order {
  ranges: Range[];
  workers: number;
  fault: string | undefined;
  onProgress: (inputs: number) => void;
}

/** Splits the inputs of a protocol for several processes. */
export function rangesOf(protocol: string, seed: number, inputs: number): Range[] {
  const starts = Array.from({ length: Math.ceil(inputs / RANGE) }, (_, at) => at * RANGE);
  return starts.map((from) => ({ protocol, seed, from, to: Math.min(inputs, from + RANGE) }));
}

/** Runs ranges in several processes. @returns a report for each protocol */
export async function runFleet(order: Order): Promise<Map<string, RangeReport>> {
  const { ranges, workers, fault, onProgress } = order;
  const folder = mkdtempSync(join(tmpdir(), "stillup-fuzz-"));
  const authority = join(folder, "authority.pem");
  writeFileSync(authority, createAuthorityFile());
  const waiting = [...ranges];
  const reports = new Map<string, RangeReport>();
  const work = async (number: number) => {
    while (waiting.length > 0) {
      await using worker = new FuzzProcess(join(folder, String(number)), { authority, fault });
      while (worker.isAlive) {
        const range = waiting.shift();
        if (!range) return;
        const report = await worker.run(range);
        const before = reports.get(range.protocol);
        reports.set(range.protocol, before ? sumOf(before, report) : report);
        onProgress(range.to - range.from);
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(workers, ranges.length) }, (_, number) => work(number)));
  } finally {
    rmSync(folder, { recursive: true });
  }
  return reports;
}

function sumOf(one: RangeReport, other: RangeReport): RangeReport {
  const outcomes = { ...one.outcomes };
  for (const [outcome, count] of Object.entries(other.outcomes))
    outcomes[outcome] = (outcomes[outcome] ?? 0) + count;
  return {
    outcomes,
    failures: [...one.failures, ...other.failures],
    trace: (one.trace + other.trace) % 2 ** 48,
    rss: Math.max(one.rss, other.rss),
    cpu: one.cpu + other.cpu,
  };
}
