import type { Browser, Page } from "playwright-core";

const CATEGORIES = [
  "devtools.timeline",
  "disabled-by-default-devtools.timeline",
  "blink.user_timing",
  "loading",
];

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds. */
  ts: number;
  dur?: number;
  args: { name?: string };
}

/** The trace of a page by the browser; times in milliseconds. */
export interface Trace {
  /** Time from the last navigation to a mark or paint of the page; undefined if there was none. */
  since(name: string): number | undefined;
  /** Durations of the tasks of the page's main thread. */
  tasks: number[];
}

/** @param act runs while the page is traced; it ends in the traced renderer */
export async function traced(browser: Browser, page: Page, act: () => Promise<unknown>): Promise<Trace> {
  await browser.startTracing(page, { categories: CATEGORIES });
  await act();
  const end = await page.evaluate<number>("performance.mark('stillup-end').startTime");
  const buffer = await browser.stopTracing();
  const events: TraceEvent[] = JSON.parse(buffer.toString()).traceEvents;
  const mark = events.findLast(({ name }) => name === "stillup-end");
  const own = events.filter(({ pid }) => pid === mark?.pid);
  const main = own.find(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain")?.tid;
  const start = (mark?.ts ?? Number.NaN) - end * 1000;
  return {
    since(name) {
      const found = own.find((event) => event.name === name && event.ts >= start);
      return found && (found.ts - start) / 1000;
    },
    tasks: own
      .filter(({ name, tid, ph }) => name === "RunTask" && tid === main && ph === "X")
      .map(({ dur = 0 }) => dur / 1000),
  };
}
