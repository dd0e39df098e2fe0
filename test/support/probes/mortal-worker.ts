/** The probe thread. The first one dies at its first commands; its replacement works. */
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import "../../../src/probes/probe-worker.ts";

declare const self: Worker;

const mark = join(tmpdir(), `stillup-mortal-worker-${process.pid}`);
if (existsSync(mark)) {
  rmSync(mark);
} else {
  writeFileSync(mark, "");
  self.onmessage = ({ data }) => {
    if (typeof data === "string") throw new Error("dies for a test");
  };
}
