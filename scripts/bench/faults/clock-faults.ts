import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CannotRun, type Fault, last } from "./fault.ts";

const HOUR = 3_600_000;
const FILE = "clock";

/** Faults of the wall clock. The monotonic clock is not changed. */
export const clockFaults: Fault[] = [
  jump("clock-forward", "put forward by an hour, and set back 15 s later", { hours: 1 }),
  jump("clock-back", "set back by an hour, and put forward 15 s later", { hours: -1 }),
];

function jump(name: string, what: string, { hours }: { hours: number }): Fault {
  return {
    name,
    method: `the wall clock of the server, under libfaketime, is ${what}`,
    offsets: [hours * HOUR],
    async prepare(folder) {
      const [library] = new Bun.Glob("/usr/lib/*/faketime/libfaketimeMT.so.1").scanSync();
      if (!library) throw new CannotRun("libfaketime is not installed (Debian: faketime)");
      setOffset(folder, 0);
      const env = {
        LD_PRELOAD: library,
        FAKETIME_TIMESTAMP_FILE: join(folder, FILE),
        FAKETIME_NO_CACHE: "1",
        // The name before and after version 0.9.10.
        DONT_FAKE_MONOTONIC: "1",
        FAKETIME_DONT_FAKE_MONOTONIC: "1",
      };
      return { env };
    },
    async cause({ folder, server }, middle) {
      setOffset(folder, hours);
      await last(15, async () => {
        const { headers } = await fetch(`${server.url}/healthz`);
        const shift = Date.parse(headers.get("date") ?? "") - Date.now();
        if (!(Math.abs(shift - hours * HOUR) < HOUR / 2)) throw new CannotRun("the clock did not change");
        await middle();
      });
      setOffset(folder, 0);
    },
  };
}

function setOffset(folder: string, hours: number): void {
  writeFileSync(join(folder, FILE), `${hours < 0 ? "-" : "+"}${Math.abs(hours)}h`);
}
