/** Runs ranges of inputs in a process of its own, so that a hang and a crash end nothing else. `fuzz-process.ts` starts it. */
import { installFault } from "../simulator/deliberate-faults/install.ts";
import { deliberateFault } from "./deliberate-faults.ts";
import type { Range, Report } from "./run-range.ts";

/** @property progress a file that this process shares with its parent: the index of the input that runs */
export interface Start {
  progress: string;
  fault: string | undefined;
}

/** @property rss the most memory that the process had, in bytes @property cpu microseconds of processor time */
export interface RangeReport extends Report {
  rss: number;
  cpu: number;
}

const start = JSON.parse(process.argv[2] ?? "{}") as Start;
if (start.fault !== undefined) installFault(deliberateFault(start.fault));
// After the fault is installed, because it changes what is loaded. A stack costs more than an input.
const [{ PROTOCOLS }, { runRange }] = [await import("./protocols.ts"), await import("./run-range.ts")];
Error.stackTraceLimit = 0;

const view = new DataView(Bun.mmap(start.progress).buffer);

process.on("message", async (range: Range) => {
  const protocol = PROTOCOLS[range.protocol];
  if (!protocol) throw new Error(`unknown protocol ${range.protocol}`);
  const before = process.cpuUsage();
  const report = await runRange(protocol, range, (index) => view.setFloat64(0, index));
  const { user, system } = process.cpuUsage(before);
  const rss = process.resourceUsage().maxRSS * 1024;
  process.send?.({ ...report, rss, cpu: user + system } satisfies RangeReport);
});
process.send?.("ready");
