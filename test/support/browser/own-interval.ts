import type { Page } from "playwright-core";

/** Enters an interval that the form of a monitor does not offer. @param unit s, min or h */
export async function enterInterval(page: Page, amount: string, unit: "s" | "min" | "h"): Promise<void> {
  await page.getByLabel("Check every").selectOption({ label: "Another time" });
  await page.getByLabel("Time between two checks").fill(amount);
  await page.getByLabel("Unit").selectOption(unit);
}
