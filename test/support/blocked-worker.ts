/** The probe thread, with an event loop that stands still most of the time. */
import "../../src/probes/probe-worker.ts";

setInterval(() => Bun.sleepSync(500), 20);
