import type { Page } from "playwright-core";

/** A fiftieth of the screen; browsers call a tenth good. */
export const MAX_SHIFT = 0.02;

/** Sums up the layout shifts of each document that the page loads from now on. */
export async function observeShifts(page: Page): Promise<void> {
  await page.addInitScript(`
    window.shift = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shift += value;
    }).observe({ type: "layout-shift", buffered: true });`);
}

/** The layout shift of the document since it was loaded. */
export function shiftOf(page: Page): Promise<number> {
  return page.evaluate<number>("window.shift");
}
