import { describe, expect, test } from "bun:test";
import { LANGUAGES, type Language } from "../../src/domain/pages/reader-locale.ts";
import { reportMail } from "../../src/status-page/mails/report-mail.ts";
import { fullContents } from "../support/pages/report-contents.ts";

const PERIOD = { first: "2027-03-01", end: "2027-04-01" };
const rendered = (language: Language, values: { kind?: "day" | "week" | "month"; title?: string } = {}) =>
  reportMail(
    { title: "Ours", kind: "month", timezone: "Europe/Berlin", language, ...values },
    { period: PERIOD, contents: fullContents(), url: "https://up.example.com/reports/mails/x/2027-03-01" },
  );

describe("behavior 23.76: a report by mail", () => {
  test("is in English", () => {
    const { subject, text } = rendered("en");
    expect(subject).toBe("Ours: March 2027");
    expect(text.split("\n\n").map((part) => part.split("\n")[0])).toEqual([
      "Ours: March 2027",
      "Uptime: 99.42% (before: 99.98%)",
      "Outages: 19 · Downtime: 3 hr, 2 min",
      "Missed runs",
      "Ending within 30 days",
      "Maintenance",
      "https://up.example.com/reports/mails/x/2027-03-01",
    ]);
    expect(text).toContain("and 26 more");
  });

  test.each(LANGUAGES)("has all its words in %s, as text and as HTML without script", (language) => {
    const { subject, text, html } = rendered(language);
    for (const part of [subject, text, html]) expect(part).not.toMatch(/\{\w+\}|undefined|Invalid|NaN/);
    expect(html).toContain(`<html lang="${language}"`);
    expect(html.includes('dir="rtl"')).toBe(language === "ar" || language === "he");
    expect(html).not.toMatch(/<script|<img|<link|url\(|onload/i);
    if (language !== "en")
      for (const word of ["Uptime", "Outages", "Missed", "before"]) expect(text).not.toContain(word);
  });

  test("names a day, a week or a month", () => {
    expect(rendered("de", { kind: "day" }).subject).toBe("Ours: Montag, 1. März 2027");
    expect(rendered("de", { kind: "month" }).subject).toBe("Ours: März 2027");
    expect(rendered("en", { kind: "week" }).subject).toStartWith("Ours: Mar 1 – ");
  });

  test("says the period in its subject also after a long title, whose direction ends with it", () => {
    const { subject } = rendered("en", { title: "דוח ".repeat(49) });
    expect(subject).toMatch(/^\u2068[^\u2069]+…\u2069: March 2027$/);
  });

  test("shows what people wrote as text, on one line", () => {
    const { subject, html } = rendered("ar", { title: "<img src=x>\r\nBcc: a@b.c" });
    expect(subject).not.toContain("\n");
    expect(html).not.toContain("<img");
  });
});
