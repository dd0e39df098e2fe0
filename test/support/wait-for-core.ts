/** Works until this thread has waited 50 ms for a core, at most some seconds, and prints how long it waited. */
import { createCoreWaits } from "../../src/probes/stall-detector.ts";

const waits = createCoreWaits();
waits.note(performance.now());
const end = performance.now() + 8000;
while (waits.since(0) < 50 && performance.now() < end);
await Bun.write(Bun.stdout, String(waits.since(0)));
