/** The probe thread, with an event loop that is blocked most of the time. */
import "../../../src/probes/probe-worker.ts";

setInterval(() => Bun.sleepSync(500), 20);
