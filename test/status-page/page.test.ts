import { describe, expect, test } from "bun:test";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { renderIncidentPage } from "../../src/status-page/html/incidents.ts";
import { renderPage } from "../../src/status-page/html/page.ts";
import { busyPage, calmPage, examplePage } from "../support/pages/example-page.ts";
import { english } from "../support/pages/languages.ts";

const address = { base: "/status/example", url: "https://stillup.example/status/example" };
const options = { ...address, local: english(), canSubscribe: true };

/** The document without its style and its script, with one space for all white space. */
const shown = (page = examplePage(), changes: object = {}) =>
  renderPage(page, { ...options, ...changes })
    .replace(/<style>.*<\/style>/s, "")
    .replaceAll(/<script>.*?<\/script>/gs, "")
    .replaceAll(/\s+/g, " ");

/** The text between the tags of the body. */
const textOf = (page = examplePage()) =>
  shown(page)
    .replace(/.*<body>/, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");

describe("the public page", () => {
  test("behavior 15.40: shows the overall state, what is open, the components, what is planned and what is over", () => {
    const text = textOf();
    const parts = [
      "All services of Example",
      "Partial System Outage",
      "Current incidents Payments are slow",
      "The provider confirms the fault",
      "We see slow payments",
      "Checkout is down",
      "Maintenance in progress New index of the search",
      "Components 99.61% uptime",
      "Website Operational",
      "Checkout Since Nov 22, 11:30 UTC Major outage",
      "Scheduled maintenance",
      "Past incidents and maintenance Thursday, November 19, 2026 Search is degraded Resolved Nov 19, 15:30 to 15:42 UTC (12 min)",
      "Exchange of a switch",
      "Subscribe to updates",
    ];
    const places = parts.map((part) => text.indexOf(part));
    expect(places.filter((place) => place < 0)).toEqual([]);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  test("behavior 17.40: says when an update was edited, with the date if it is another one", () => {
    const page = examplePage();
    const editedAt = (at: number) =>
      textOf({
        ...page,
        incidents: page.incidents.map((one) => ({
          ...one,
          updates: one.updates.map((update) => ({ ...update, editedAt: update.createdAt + at })),
        })),
      });
    expect(editedAt(60_000)).toMatch(/ Nov 22, 14:00 UTC edited 14:01 UTC /);
    expect(editedAt(86_400_000)).toMatch(/ Nov 22, 14:00 UTC edited Nov 23, 14:00 UTC /);
  });

  test("behavior 15.40: of a calm time has no incidents and no maintenance", () => {
    const text = textOf(calmPage());
    expect(text).toContain("All Systems Operational");
    expect(text).toContain("None in the last 90 days.");
    expect(text).not.toMatch(/Current incidents|Maintenance in progress|Scheduled maintenance/);
  });

  test("behavior 15.40: shows the members of a group under its name, with the worst of their states", () => {
    expect(shown()).toMatch(/<summary><h3><bdi>Shop<\/bdi><\/h3><span class="state bad">/);
    expect(shown().match(/<bdi>Shop<\/bdi>/g)).toHaveLength(1);
  });

  test("behavior 15.41: has a bar for each day with its date, its state in words and its uptime", () => {
    const document = shown();
    expect(document.match(/<i( class="."|) data-t=|<details class=".?" name="day">/g)).toHaveLength(50 * 90);
    expect(document).toContain('<i data-t="Nov 22: No problems, 100.00%"></i>');
    expect(document).toMatch(/<i class="d" data-t="[A-Z][a-z]{2} \d+: Outage, 87.50%"><\/i>/);
    expect(document).toMatch(/<i class="n" data-t="[A-Z][a-z]{2} \d+: No data"><\/i>/);
  });

  test("behavior 15.41: lists the days with problems, so that nobody needs the bars", () => {
    expect(shown()).toContain('aria-label="History of 90 days: 3 days with problems"');
    expect(shown()).toContain("<li>Nov 15: Problems, 99.31%</li>");
    expect(shown(calmPage())).not.toContain("<li>Nov");
  });

  test("behavior 15.42: has two scripts of its own, and loads nothing from another host", () => {
    expect(renderPage(examplePage(), options).match(/<script/g)).toHaveLength(2);
    const document = shown();
    expect(document).not.toMatch(/<script|\son\w+=|style="|<iframe|<img|@import|url\(/i);
    const loaded = [...document.matchAll(/<link rel="icon" href="([^"]+)"/g)].map(([, path]) => path);
    expect(loaded).toEqual(["/status/example/icon"]);
  });

  test("behavior 15.41: says once from when to when the bars are, and the uptime of the whole page", () => {
    const document = shown();
    expect(document.match(/90 days ago/g)).toHaveLength(1);
    expect(document.match(/>Today</g)).toHaveLength(1);
    expect(document).toContain('<h2 id="components">Components</h2><b>99.61% uptime</b>');
  });

  test("behavior 15.106: a day on which something happened is a card, with the time without service and a link", () => {
    const incident = examplePage().incidents.find(({ title }) => title === "Checkout is down");
    const link = `<a href="/status/example/incidents/${incident?.id}"><bdi>Checkout</bdi> is down</a>`;
    expect(shown()).toContain(
      `<div class="tip"><b>Nov 22: No problems, 100.00%</b><span>Downtime: 25 min</span>${link}`,
    );
    expect(shown()).toContain('<details class="" name="day"><summary><span class="sr">Nov 22: No problems');
    expect(shown(calmPage())).not.toContain('name="day"');
  });

  test("behavior 15.106: the list of the days with problems says the same as their cards", () => {
    const page = examplePage();
    const [, , , checkout] = page.components;
    const today = checkout?.days.at(-1);
    if (today) Object.assign(today, { level: "down", uptime: "97.00%" });
    expect(shown(page)).toContain("<li>Nov 22: Outage, 97.00%<span>Downtime: 25 min</span><a href=");
  });

  test("behavior 15.104: an outage that nobody wrote about was detected, never investigated", () => {
    const page = examplePage();
    const outages = page.incidents.filter(({ outage }) => outage);
    expect(shown({ ...page, incidents: outages })).not.toContain("Investigating");
    expect(shown({ ...page, incidents: outages })).toContain('<span class="pill bad">Detected</span>');
    const [outage] = outages;
    if (!outage) throw new Error("the example has changed");
    const alone = renderIncidentPage(page, { ...address, local: english(), incident: outage });
    expect(alone).not.toContain("Investigating");
  });

  test("behavior 15.104: several outages are one card with links, and what people wrote comes before it", () => {
    const page = examplePage();
    const [outage, written] = page.incidents;
    if (!outage || !written) throw new Error("the example has changed");
    const many = Array.from({ length: 7 }, (_, at) => ({
      ...{ ...outage, id: `outage-${at}`, outage: { component: `Node ${at}`, isDown: at < 6, lengthMs: 0 } },
    }));
    const document = shown({ ...page, incidents: [written, ...many] });
    expect(document.match(/<article class="card event open is-bad">/g)).toHaveLength(2);
    expect(document).toContain("<h3>6 components are down</h3>");
    for (const { id } of many) expect(document).toContain(`href="/status/example/incidents/${id}"`);
    expect(document).toContain("<bdi>Node 6</bdi> is degraded</a></h3>");
    expect(document.indexOf("Payments are slow")).toBeLessThan(document.indexOf("6 components are down"));
  });

  test("behavior 15.105: a maintenance that repeats says when, in the zone of its own, and its next window", () => {
    const page = examplePage();
    const next = page.maintenances.find(({ state }) => state === "scheduled");
    if (!next) throw new Error("the example has changed");
    const startsAt = Date.parse("2026-12-01T01:00:00Z");
    const times = { startsAt, endsAt: startsAt + 2 * 3_600_000 };
    const showing = (weekdays: number[] | null, changes = {}) =>
      shown({
        ...page,
        maintenances: [
          { ...next, ...times, ...changes, repeats: { weekdays, timezone: "Europe/Berlin", windows: [] } },
        ],
      });
    const at = '<span>Next: <time datetime="2026-12-01T01:00:00.000Z">Dec 1, 01:00 UTC</time></span>';
    expect(showing([2, 4])).toContain(`<span>Tuesdays and Thursdays, 02:00 to 04:00 GMT+1</span>${at}`);
    expect(showing([0, 1, 2, 3, 4, 5, 6])).toContain("<span>Every day, 02:00 to 04:00 GMT+1</span>");
    expect(showing([6], { endsAt: startsAt + 86_400_000 })).toContain(
      "<span>Saturdays, 02:00 GMT+1 (1 day)</span>",
    );
    expect(showing(null)).toContain("<span>Repeats</span><span>Next: <time");
  });

  test("behavior 15.105: of a maintenance that repeats, only the last window is among what is over", () => {
    const page = examplePage();
    const ended = page.maintenances.find(({ state }) => state === "ended");
    if (!ended) throw new Error("the example has changed");
    const nightly = Array.from({ length: 20 }, (_, at) => ({
      ...{ ...ended, id: `n${at}`, series: "nightly", title: "Nightly restart" },
      ...{ startsAt: ended.startsAt - at * 86_400_000, endsAt: ended.endsAt - at * 86_400_000 },
    }));
    expect(shown({ ...page, maintenances: nightly }).match(/Nightly restart/g)).toHaveLength(1);
  });

  test("behavior 15.48: offers e-mail, feed and calendar in one place", () => {
    const panel = /<section id="subscribe".*?<\/section>/.exec(shown())?.[0] ?? "";
    expect(panel).toContain('href="/status/example/feed.atom"');
    expect(panel).toContain('href="/status/example/maintenance.ics"');
    expect(panel).toContain('<a href="/status/example/subscriptions">Choose components</a>');
    expect(shown(examplePage(), { isEmbedded: true })).not.toContain('id="subscribe"');
  });

  test("behavior 15.42: has its title and its description for browsers, search engines and previews", () => {
    const document = shown();
    expect(document).toContain("<title>Partial System Outage – Example status</title>");
    expect(document).toContain(
      '<meta name="description" content="Example status: Partial System Outage – All services of Example',
    );
    expect(document).toContain('<link rel="canonical" href="https://stillup.example/status/example">');
    expect(document).toContain(
      'type="application/atom+xml" title="Example status" href="/status/example/feed.atom"',
    );
  });

  test("behavior 15.42: shows the text of names, titles and descriptions as text", () => {
    const hostile = '<img src=x onerror=alert(1)>"';
    const page = examplePage({ title: hostile, description: hostile });
    expect(shown()).toContain("&lt;b&gt;Reports&lt;/b&gt; &amp; &quot;exports&quot;");
    expect(shown(page)).not.toContain("<img");
    expect(shown(page)).not.toContain('x>"');
  });

  test("behavior 15.43: has at most 30 kB for 50 components with 90 days, also if each day has another uptime", () => {
    const busy = busyPage();
    const params = { [constants.BROTLI_PARAM_QUALITY]: 6 };
    const usual = renderPage(examplePage(), options);
    expect(gzipSync(usual).length).toBeLessThan(16_000);
    expect(renderPage(busy, options)).toContain("<li>and 78 earlier</li>");
    expect(brotliCompressSync(renderPage(busy, options), { params }).length).toBeLessThan(30_000);
  });

  test("behavior 15.44: isolates names from the text around them, and each text has its own direction", () => {
    const document = shown();
    expect(document).toContain('<span class="name"><bdi>متجر القاهرة</bdi></span>');
    expect(document).toContain("<bdi>تعطل المتجر</bdi>");
    expect(document).toContain('<div class="text" dir="auto"><p>تم إصلاح المتجر.</p>');
    expect(document).toContain('<input type="email" name="email" dir="auto"');
  });

  test("behavior 15.47: has the paths of its place, and its URL as the canonical one", () => {
    const atHost = shown(examplePage(), { base: "", url: "https://status.example" });
    expect(atHost).toContain('href="/feed.atom"');
    expect(atHost).toContain('action="/subscriptions"');
    expect(atHost).toContain('<link rel="canonical" href="https://status.example">');
    expect(atHost).not.toContain("/status/example");
    expect(shown()).toContain('action="/status/example/subscriptions"');
  });

  test("behavior 15.48: offers a subscription only if the server sends e-mails", () => {
    expect(shown()).toContain('<input type="email" name="email"');
    expect(shown(examplePage(), { canSubscribe: false })).not.toContain("<form");
  });

  test("behavior 15.49: names all times in UTC, with a machine-readable form", () => {
    expect(shown()).toContain('<time datetime="2026-11-22T15:25:00.000Z">Nov 22, 15:25 UTC</time>');
    expect(textOf()).toContain("Oct 13, 15:30 to Oct 14, 15:30 UTC (1 day)");
    const began = '<time datetime="2026-11-22T15:05:00.000Z">Nov 22, 15:05 UTC</time>';
    expect(shown()).toContain(`<span>Since ${began}</span>`);
  });
});

test("behavior 15.45: the page of an incident shows all of its updates", () => {
  const page = examplePage();
  const incident = page.incidents.find(({ title }) => title === "تعطل المتجر");
  if (!incident) throw new Error("the example has changed");
  const document = renderIncidentPage(page, { ...address, local: english(), incident });
  expect(document).toContain("<h1><bdi>تعطل المتجر</bdi></h1>");
  expect(document.match(/<div class="text"/g)).toHaveLength(3);
  expect(document).not.toContain("<details");
  expect(document).toContain(`<link rel="canonical" href="${address.url}/incidents/${incident.id}">`);
});
