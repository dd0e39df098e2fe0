import { expect, setDefaultTimeout, test } from "bun:test";
import { ask, startWorker } from "../../../scripts/simulator/command/workers.ts";
import { DELIBERATE_FAULTS } from "../../../scripts/simulator/deliberate-faults/deliberate.ts";
import { brokenRule } from "../../../scripts/simulator/deliberate-faults/find-faults.ts";
import { edited } from "../../../scripts/simulator/deliberate-faults/install.ts";
import { isLong } from "../../support/long.ts";

setDefaultTimeout(300_000);

test.each(DELIBERATE_FAULTS)("the fault $name replaces text that the product has once", async ({ edits }) => {
  for (const edit of edits) {
    const text = await Bun.file(`src/${edit.file}`).text();
    expect(edited(text, [edit])).not.toBe(text);
  }
});

test("each fault has a name of its own", () => {
  const names = DELIBERATE_FAULTS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

/** Each takes seconds. `scripts/test --long` finds all faults. */
const SAMPLE = "absence-is-silence";

const searched = DELIBERATE_FAULTS.flatMap(({ caughtBy, ...fault }) =>
  caughtBy && (isLong || fault.name === SAMPLE) ? [{ ...fault, ...caughtBy }] : [],
);

test.each(searched)("a seed finds the fault $name", async ({ name, world, seed, rule }) => {
  const worker = startWorker();
  try {
    expect(brokenRule(await ask(worker, { seed, options: world, fault: name }))).toBe(rule);
  } finally {
    worker.terminate();
  }
});

test("docs/laboratory.md shows each fault with the seed that finds it", async () => {
  const text = await Bun.file("docs/laboratory.md").text();
  const rows = text.split("\n");
  const missing = DELIBERATE_FAULTS.filter(({ name, caughtBy }) => {
    const end = caughtBy ? ` | ${caughtBy.seed} | ${caughtBy.rule} |` : " | none yet | |";
    return !rows.some((row) => row.startsWith(`| \`${name}\` |`) && row.endsWith(end));
  });
  expect(missing.map(({ name }) => name)).toEqual([]);
});

test.each(["docs/trust.md", "docs/laboratory.md"])("%s says how many faults seeds find", async (page) => {
  const found = DELIBERATE_FAULTS.filter(({ caughtBy }) => caughtBy).length;
  expect(await Bun.file(page).text()).toContain(`${found} of ${DELIBERATE_FAULTS.length} faults`);
});
