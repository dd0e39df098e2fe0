import type { SeedOptions } from "../run-seed.ts";

/** A test that runs a seed again, to be saved below `test/simulator/kept`. @param line the first violation, as it is printed */
export function keptTest({
  seed,
  options: { engine, ...options },
  rule,
  line,
}: {
  seed: number;
  options: SeedOptions;
  rule: string;
  line: string;
}): string {
  return `import { expect, test } from "bun:test";
import { runSeed } from "../../../scripts/simulator/run-seed.ts";

// ${line}
test(${JSON.stringify(`seed ${seed}: ${rule}`)}, async () => {
  const { violations } = await runSeed(${seed}, ${literal({ ...options, ...(engine === "postgres" && { engine }) }, "  ")});
  expect(violations).toEqual([]);
}, 120_000);
`;
}

/** As TypeScript, with one property in each line. */
function literal(value: unknown, indent: string): string {
  const inner = `${indent}  `;
  if (Array.isArray(value))
    return `[${value.map((one) => `\n${inner}${literal(one, inner)},`).join("")}\n${indent}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const properties = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{${properties.map(([name, one]) => `\n${inner}${name}: ${literal(one, inner)},`).join("")}\n${indent}}`;
}
