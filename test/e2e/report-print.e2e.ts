import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { reportMail } from "../../src/status-page/mails/report-mail.ts";
import { TestBrowser } from "../support/browser/browser.ts";
import { fullContents } from "../support/pages/report-contents.ts";

setDefaultTimeout(300_000);

const PERIOD = { first: "2027-03-01", end: "2027-04-01" };

let browser: TestBrowser;
let server: ReturnType<typeof Bun.serve>;

beforeAll(async () => {
  browser = await TestBrowser.start();
  server = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1" },
    fetch(request) {
      const language = (URL.parse(request.url)?.pathname.slice(1) || "en") as "en";
      const report = { title: "Our month", kind: "month", timezone: "Europe/Berlin", language } as const;
      const url = "https://up.example.com/reports/mails/Vb4nTqZr7PxLs2hKd9WmYf/2027-03-01";
      const { html } = reportMail(report, { period: PERIOD, contents: fullContents(), url });
      return new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } });
    },
  });
});

afterAll(async () => {
  await server.stop(true);
  await browser[Symbol.asyncDispose]();
});

test.each(["en", "he"])(
  "behavior 23.76: in a report in %s, names of either direction begin where the lines begin",
  async (language) => {
    const { page } = await browser.reader(server.url.href, { viewport: { width: 700, height: 900 } });
    await page.goto(`/${language}`);
    const edges = await page.evaluate<
      number[]
    >(`[...document.querySelectorAll("td:first-child")].map((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell.firstChild);
      const { left, right } = range.getBoundingClientRect();
      return Math.round(${language === "en" ? "left" : "right"});
    })`);
    expect(edges.length).toBeGreaterThan(30);
    expect(new Set(edges).size).toBe(1);
  },
);

test.each(["en", "de", "hu", "ar", "hi", "ja", "vi"])(
  "behavior 23.76: the fullest report in %s prints on one page of A4, and fits on a phone",
  async (language) => {
    for (const colorScheme of ["light", "dark"] as const) {
      const look = { colorScheme, viewport: { width: 320, height: 640 } };
      const { page } = await browser.reader(server.url.href, look);
      await page.goto(`/${language}`);
      const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
      expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
      expect(pdf).toMatch(/\/MediaBox \[0 0 59[45][.\d]* 84[12][.\d]*\]/);
      const width = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
      expect(await page.evaluate(width)).toBe(0);
    }
  },
);
