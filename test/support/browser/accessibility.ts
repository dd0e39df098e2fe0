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

/** Like `isAccessible`, and then in the other color scheme what depends on colors. The page has its first scheme again afterwards. */
export async function isAccessibleInBothSchemes(page: Page): Promise<void> {
  await isAccessible(page);
  const isDark = await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches");
  const [own, other] = isDark ? (["dark", "light"] as const) : (["light", "dark"] as const);
  const { pathname } = new URL(page.url());
  await page.emulateMedia({ colorScheme: other });
  await holds(async () => {
    const found = await violations(page, ["color-contrast", "link-in-text-block"]);
    expect({ pathname, other, found }).toEqual({ pathname, other, found: [] });
  });
  await page.emulateMedia({ colorScheme: own });
}

/** @param rules default: all */
async function violations(page: Page, rules?: string[]): Promise<string[]> {
  // Content-Security-Policy does not apply to scripts that the browser itself evaluates.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE);
  const options: axe.RunOptions = { resultTypes: ["violations"], ...(rules && { runOnly: rules }) };
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(${JSON.stringify(options)})`);
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
