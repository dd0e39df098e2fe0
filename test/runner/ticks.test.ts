import { test } from "bun:test";
import { Cron } from "croner";
import { shiftClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";

/* What the loops of the runner rely on: each second one of croner's jobs wakes them. */

test.each([-3_600_000, 3_600_000])("a job goes on when the clock jumps by %d ms", async (jump) => {
  let runs = 0;
  const job = new Cron("* * * * * *", { protect: true }, async () => void runs++);
  await eventually(() => runs > 0);
  using _ = shiftClock(jump);
  const before = runs;
  await eventually(() => runs > before + 1, 4000);
  job.stop();
});
