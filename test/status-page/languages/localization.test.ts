import { describe, expect, test } from "bun:test";
import { fill } from "../../../src/domain/locale-formats.ts";
import { readerOf } from "../../../src/domain/pages/reader-locale.ts";
import { html } from "../../../src/html.ts";
import { renderPage } from "../../../src/status-page/html/page.ts";
import { timeSpan } from "../../../src/status-page/html/subscriptions.ts";
import { fillHtml, localizationOf } from "../../../src/status-page/localization.ts";
import { examplePage } from "../../support/pages/example-page.ts";
import { localFor, localizations } from "../../support/pages/languages.ts";

const AT = Date.UTC(2026, 10, 22, 23, 5);
const MINUTE = 60_000;

const withRegion: typeof localizations = [...localizations, ["ar-EG", localFor("ar-EG")]];

test.each(withRegion)(
  "behavior 21.4: an uptime in %s is written as Intl writes it",
  (locale, { percent }) => {
    const options = { style: "percent", minimumFractionDigits: 2, maximumFractionDigits: 2 } as const;
    const expected = new Intl.NumberFormat(locale, options);
    for (const [uptime, value] of [
      ["99.98%", 0.9998],
      ["100.00%", 1],
      ["7.05%", 0.0705],
    ] as const)
      expect(percent(uptime)).toBe(expected.format(value));
  },
);

describe("behavior 21.4: dates and numbers are those of the reader's locale", () => {
  test("dates", () => {
    expect(localFor("de").moment(AT)).toBe("22. Nov., 23:05 UTC");
    expect(localFor("en-GB").moment(AT)).toBe("22 Nov, 23:05 UTC");
    expect(localFor("de").fullDate(AT)).toBe("Sonntag, 22. November 2026");
    expect(localFor("de-AT").shortDates(["2026-01-05"])).toEqual(["5. Jän."]);
    expect(localFor("ja").shortDates(["2026-11-22"])).toEqual(["11月22日"]);
    expect(localFor("ar-EG").shortDates(["2026-11-22"])).toEqual(["٢٢ نوفمبر"]);
  });

  test("amounts", () => {
    const { duration, latency, daysAgo } = localFor("de");
    expect(duration(12 * MINUTE, "long")).toBe("12 Minuten");
    expect(duration(90 * MINUTE, "long")).toBe("1 Stunde, 30 Minuten");
    expect(duration(400, "long")).toBe("weniger als 1 Sekunde");
    expect(latency(0.4)).toBe("weniger als 1 ms");
    expect([latency(3.14), latency(42.4)]).toEqual(["3,1 ms", "42 ms"]);
    expect(latency(12_340)).toBe("12,3 Sek.");
    expect(daysAgo(90)).toBe("vor 90 Tagen");
  });

  test("plurals", () => {
    const russian = localFor("ru");
    const count = (days: number) => russian.plural(russian.texts.daysWithProblems, days);
    expect([1, 2, 5, 21].map(count)).toEqual([
      "1 день с проблемами",
      "2 дня с проблемами",
      "5 дней с проблемами",
      "21 день с проблемами",
    ]);
    const arabic = localFor("ar-EG");
    expect(arabic.plural(arabic.texts.daysWithProblems, 11)).toStartWith("١١ يومًا");
  });
});

describe("behavior 21.4: times are in the time zone of the page", () => {
  const page = examplePage({ timezone: "Asia/Tokyo" });
  const local = localizationOf(readerOf("en", null), "Asia/Tokyo");
  const document = renderPage(page, {
    ...{ base: "/q", url: "https://q.example/q", local, canSubscribe: false },
  });

  test("with its date, and the page names the zone", () => {
    expect(local.moment(AT)).toBe("Nov 23, 08:05 GMT+9");
    expect(local.dayOf(AT)).toBe("2026-11-23");
    expect(document).toContain('<time datetime="2026-11-22T15:25:00.000Z">Nov 23, 00:25 GMT+9</time>');
    expect(document).toContain(">Time zone: Asia/Tokyo</p>");
  });

  test("with both zones if the clocks are changed between the start and the end", () => {
    const span = (start: string, minutes: number, timezone = "Europe/Berlin") => {
      const at = Date.parse(start);
      return timeSpan(localFor("de", timezone), at, at + minutes * MINUTE).markup.replaceAll(/<[^>]*>/g, "");
    };
    expect(span("2026-10-25T00:30Z", 45)).toBe("25. Okt., 02:30 MESZ bis 02:15 MEZ");
    expect(span("2026-10-24T22:30Z", 45)).toBe("25. Okt., 00:30 bis 01:15 MESZ");
    expect(span("2026-12-31T22:45Z", 45)).toBe("31. Dez., 23:45 bis 1. Jan., 00:30 MEZ");
    expect(span("2026-04-04T14:45Z", 30, "Australia/Lord_Howe")).toBe(
      "5. Apr., 01:45 GMT+11 bis 01:45 GMT+10:30",
    );
  });

  test("events are below the day of the zone", () => {
    expect(document).toMatch(/<h3>Friday, November 20, 2026<\/h3>\s*<article[\s\S]*Search/);
  });

  test("but the days of the bars stay those of UTC, and the page says so", () => {
    expect(document).toContain('<i data-t="Nov 22: No problems, 100.00%"></i>');
    expect(document).toContain("<li>Days are in UTC</li>");
  });
});

test("a value of a template is neither a template nor markup", () => {
  expect(fill("{a} and {b}", { a: "{b}", b: "$&" })).toBe("{b} and $&");
  expect(fill("after {a}. {b}.", { a: "12 Sek.", b: "1" })).toBe("after 12 Sek. 1.");
  expect(fill("{a}。{b}.", { a: "停止。", b: "\u2068החיבור נדחה.\u2069" })).toBe(
    "停止。\u2068החיבור נדחה.\u2069",
  );
  expect(fillHtml("<{a}> {b}", { a: "<i>", b: html`<b>{a}</b>` }).markup).toBe(
    "&lt;&lt;i&gt;&gt; <b>{a}</b>",
  );
});
