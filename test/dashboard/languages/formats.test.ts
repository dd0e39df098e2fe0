import { expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import type { Shown } from "./formats-in.ts";

const SCRIPT = fileURLToPath(import.meta.resolve("./formats-in.ts"));

async function shownIn(language: string, locale = language): Promise<Shown> {
  const { stdout, exited } = Bun.spawn([process.execPath, SCRIPT, language, locale], { stderr: "inherit" });
  const text = await new Response(stdout).text();
  expect(await exited).toBe(0);
  return JSON.parse(text);
}

/** With plain spaces, because versions of the Unicode data differ in them. */
function spaced(shown: Shown): Shown {
  return JSON.parse(JSON.stringify(shown).replaceAll(/[\u00a0\u202f]/g, " "));
}

test("behavior 27.80: numbers are as in the API in English, in each region", async () => {
  const expected = {
    count: "12,345",
    percent: "99.90%",
    target: "99.5%",
    dash: "–",
    size: "48.2 MB",
    duration: "2 d 5 h",
    short: "2 d",
    belowSecond: "less than a second",
    latency: "0.4 ms",
    slow: "12.3 s",
    run: "2 min 5 s",
    list: "a, b and c",
  };
  expect(await shownIn("en")).toMatchObject(expected);
  expect(await shownIn("en", "en-DE")).toMatchObject(expected);
});

test("behavior 27.80: numbers, units and lists are those of the reader's locale", async () => {
  expect(spaced(await shownIn("de"))).toMatchObject({
    count: "12.345",
    percent: "99,90 %",
    target: "99,5 %",
    size: "48,2 MB",
    duration: "2 Tg., 5 Std.",
    short: "2 Tg.",
    latency: "0,4 ms",
    slow: "12,3 Sek.",
    list: "a, b und c",
  });
  expect((await shownIn("de", "de-CH")).count).toMatch(/^12['’]345$/);
  expect(spaced(await shownIn("ja"))).toMatchObject({ short: "2 日", list: "a、b、c", percent: "99.90%" });
  expect((await shownIn("ar")).list).toBe("\u2068a\u2069 و\u2068b\u2069 و\u2068c\u2069");
});

test("behavior 27.81: dates are those of the reader's locale, and weeks begin with its first day", async () => {
  const [en, british, de, ja, ar] = await Promise.all([
    shownIn("en"),
    shownIn("en", "en-GB"),
    shownIn("de"),
    shownIn("ja"),
    shownIn("ar"),
  ]);
  expect([en, british, de, ja].map(({ date }) => date)).toEqual([
    "Nov 24, 2026",
    "24 Nov 2026",
    "24.11.2026",
    "2026/11/24",
  ]);
  expect([en, british, de, ja, ar].map(({ firstOfWeek }) => firstOfWeek)).toEqual([1, 1, 1, 0, 6]);
});
