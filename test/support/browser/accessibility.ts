import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import type axe from "axe-core";
import type { Page } from "playwright-core";
import { isLong } from "../long.ts";
import { holds } from "./becomes.ts";

/** Without comments, half as long for the browser to read. */
const AXE = readFileSync(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir), "utf8");

/** Fails if axe-core finds violations. Repeats it, because a view that still changes has some for a moment. */
export function isAccessible(page: Page): Promise<void> {
  const { pathname } = new URL(page.url());
  return holds(async () => {
    expect({ pathname, found: await violations(page) }).toEqual({ pathname, found: [] });
  });
}

async function violations(page: Page): Promise<string[]> {
  // Content-Security-Policy does not apply to scripts that the browser itself evaluates.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE);
  const { violations } = await page.evaluate<axe.AxeResults>("axe.run({ resultTypes: ['violations'] })");
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

type ColorScheme = "light" | "dark";

/**
 * The color schemes in which axe-core checks views: with the long tests both, otherwise only the sample, because it takes seconds
 * for each view.
 */
export function schemesOf(sample: ColorScheme): ColorScheme[] {
  return isLong ? ["light", "dark"] : [sample];
}
