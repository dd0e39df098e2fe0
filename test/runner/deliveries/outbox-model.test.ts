import { setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { isLong } from "../../support/long.ts";
import { anyCommand } from "../../support/outbox/commands.ts";
import { report } from "../../support/outbox/report.ts";
import { template } from "../../support/outbox/template.ts";
import { OutboxWorld } from "../../support/outbox/world.ts";

/** How to repeat a failure, or to run longer: see docs/laboratory.md. The seed is fixed, so that a change is judged by the same runs. */
const { OUTBOX_RUNS = isLong ? "40" : "20", OUTBOX_SEED = "18", OUTBOX_PATH, OUTBOX_COMMANDS } = process.env;

const MAX_COMMANDS = 50;
const TIMEOUT = 30 * 60_000;
setDefaultTimeout(TIMEOUT);

const commands = fc.commands([anyCommand], {
  maxCommands: MAX_COMMANDS,
  size: "max",
  ...(OUTBOX_COMMANDS && { replayPath: OUTBOX_COMMANDS }),
});

test("behavior 5.6, 5.10, 5.11, 5.12, 5.13, 5.15, 5.20, 5.21, 5.22, 5.25, 13.60, 14.8, 14.11, 14.13, 14.15, 14.16, 14.17, 14.19, 14.22, 14.23, 14.26, 14.27, 14.28: whatever happens, the outbox follows its rules", async () => {
  const initial = await template();
  const property = fc.asyncProperty(commands, async (steps) => {
    using world = new OutboxWorld(initial);
    await fc.asyncModelRun(() => ({ model: world, real: world }), steps);
    await world.finish();
  });
  await fc.assert(property, {
    numRuns: Number(OUTBOX_RUNS),
    seed: Number(OUTBOX_SEED),
    ...(OUTBOX_PATH && { path: OUTBOX_PATH }),
    asyncReporter: async (details) => report(details),
  });
});
