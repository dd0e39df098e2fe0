import type { Page } from "playwright-core";

/** Enters an interval that the form of a monitor does not offer. @param unit s, min or h */
export async function enterInterval(page: Page, amount: string, unit: "s" | "min" | "h"): Promise<void> {
  await page.getByLabel("Check every").selectOption({ label: "Another time" });
  await page.getByLabel("Time between two checks").fill(amount);
  await page.getByLabel("Unit", { exact: true }).selectOption(unit);
}

/** Opens or closes a section of a form. */
export async function toggleSection(page: Page, name: string): Promise<void> {
  await page.locator(".disclosure-name").getByText(name, { exact: true }).click();
}

/** Opens a section of a form, which an error may have opened already. */
export async function openSection(page: Page, name: string): Promise<void> {
  const heading = page.locator(".disclosure-name").getByText(name, { exact: true });
  const isOpen = await page.locator("details[open]").filter({ has: heading }).count();
  if (isOpen === 0) await heading.click();
}

/** Chooses an action of the menu of a monitor, such as Pause or Delete. */
export async function chooseAction(page: Page, name: string, menu = "More actions"): Promise<void> {
  await page.getByRole("button", { name: menu, exact: true }).click();
  await page.getByRole("menuitem", { name, exact: true }).click();
}
