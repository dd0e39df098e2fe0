/* `DELIBERATE_FAULT=NAME bun test --preload ./scripts/simulator/deliberate-faults/preload.ts FILE` runs tests with a fault. */
import { deliberateFault } from "./deliberate.ts";
import { installFault } from "./install.ts";

installFault(deliberateFault(process.env.DELIBERATE_FAULT ?? ""));
