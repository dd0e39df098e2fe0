/*
 * Prints what the page shows a reader of a locale: `bun formats-in.ts LANGUAGE LOCALE`. A process of its own, because the modules read
 * the language once, when they are loaded.
 */

const [lang = "en", locale = lang] = process.argv.slice(2);
const dir = lang === "ar" || lang === "he" ? "rtl" : "";
Object.assign(globalThis, { document: { documentElement: { lang, dir, dataset: { locale } } } });

const { tableOf } = await import("../../../src/dashboard/languages/json-files.ts");
const { texts, listOf } = await import("../../../src/dashboard/web/languages/texts.ts");
Object.assign(texts, await tableOf("en"));
const numbers = await import("../../../src/dashboard/web/ui/numbers.ts");
const { formatBytes } = await import("../../../src/dashboard/web/ui/bytes.ts");
const durations = await import("../../../src/dashboard/web/ui/durations.ts");
const { dateFormat } = await import("../../../src/dashboard/web/ui/time.tsx");
const { dayOf, weeksOf } = await import("../../../src/dashboard/web/ui/days.ts");

const MINUTE = 60_000;
const AT = Date.UTC(2026, 10, 24, 12);

const shown = {
  count: numbers.formatNumber(12_345),
  percent: numbers.formatPercent("99.90%"),
  target: numbers.formatPercent(99.5),
  dash: numbers.percentOrDash(null),
  size: formatBytes(48_234_496),
  duration: durations.formatDuration(53 * 60 * MINUTE),
  short: durations.formatShortDuration(53 * 60 * MINUTE),
  belowSecond: durations.formatDuration(412),
  latency: durations.formatLatency(0.42),
  slow: durations.formatLatency(12_345),
  run: durations.formatRunTime(2 * MINUTE + 5000),
  list: listOf(["a", "b", "c"]),
  date: dateFormat({ dateStyle: "medium", timeZone: "UTC" }).format(AT),
  firstOfWeek: new Date(`${dayOf(weeksOf("2026-11")[0]?.[0]?.start ?? 0)}T12:00:00`).getDay(),
};
await Bun.write(Bun.stdout, JSON.stringify(shown));

export type Shown = typeof shown;
