import { describe, expect, test } from "bun:test";
import { brotliCompressSync, constants } from "node:zlib";
import type { PublicIncident, PublicMaintenance, PublicPage } from "../../../src/domain/pages/public-page.ts";
import type { MaintenanceNotice, PageMail } from "../../../src/domain/pages/subscription.ts";
import { feed } from "../../../src/status-page/feed.ts";
import { renderIncidentPage } from "../../../src/status-page/html/incidents.ts";
import { renderPage } from "../../../src/status-page/html/page.ts";
import { renderMonthPage } from "../../../src/status-page/html/past.ts";
import { type SubscriptionPageKind, subscriptionPage } from "../../../src/status-page/html/subscriptions.ts";
import { notFoundPage, unlockPage } from "../../../src/status-page/html/unlock.ts";
import type { Localization } from "../../../src/status-page/localization.ts";
import { pageMail } from "../../../src/status-page/mails/page-mail.ts";
import { busyPage, calmPage, exampleId, examplePage } from "../../support/pages/example-page.ts";
import { english, localFor, localizations } from "../../support/pages/languages.ts";

const AT = Date.UTC(2026, 9, 15, 15, 30);
const MINUTE = 60_000;
const address = { base: "/q", url: "https://q.qq/q" };

function outage(number: number, changes: Partial<PublicIncident>): PublicIncident {
  return {
    ...{ id: exampleId(number), outage: { component: "Q1", isDown: true, lengthMs: 12 * MINUTE } },
    ...{ title: "not shown", impact: "major", status: "investigating", componentIds: [exampleId(100)] },
    ...{ startedAt: AT, resolvedAt: null, updatedAt: AT, updates: [], ...changes },
  };
}

const update = (status: PublicIncident["status"], createdAt: number, body = "not shown") => ({
  ...{ id: exampleId(9), status, body, createdAt, editedAt: createdAt + MINUTE },
});

const window = (number: number, state: PublicMaintenance["state"]): PublicMaintenance => ({
  ...{ id: exampleId(number), title: "Q2", message: null, state, startsAt: AT, endsAt: AT + 60 * MINUTE },
  ...{ componentIds: [exampleId(101)], updatedAt: AT, series: exampleId(30 + number) },
  repeats: state === "scheduled" ? { weekdays: [2, 4], timezone: "UTC", windows: [] } : null,
});

/** A page whose names are in no language. */
const neutral: PublicPage = (() => {
  const page = examplePage();
  const start = update("investigating", AT);
  const degraded = { component: "Q1", isDown: false, lengthMs: 12 * MINUTE };
  const ended = { status: "resolved" as const, resolvedAt: AT + 12 * MINUTE };
  return {
    ...{ ...page, title: "Q", description: null, updatedAt: AT },
    components: page.components.slice(0, 8).map((component, at) => ({
      ...{ ...component, name: `Q${at}`, group: at % 2 ? { id: exampleId(7), name: "Q9" } : null },
      ...{ since: AT, latencyMs: at / 2, uptime: at === 3 ? null : component.uptime },
      days: component.days.map((day) => ({ ...day, date: day.date.replace(/-\d\d-/, "-10-") })),
    })),
    incidents: [
      outage(1, { updates: [start] }),
      outage(11, { updates: [start] }),
      outage(12, { outage: degraded, updates: [start] }),
      outage(2, { outage: degraded, updates: [update("monitoring", AT + MINUTE), start] }),
      outage(3, { ...ended, updates: [update("resolved", AT + 12 * MINUTE), start] }),
      outage(4, { title: "Q4", outage: null, updates: [update("identified", AT, "Q")] }),
    ],
    maintenances: [
      ...(["active", "scheduled", "ended"] as const).map((state, at) => window(21 + at, state)),
      { ...window(24, "scheduled"), repeats: { weekdays: null, timezone: "UTC", windows: [] } },
      {
        ...window(25, "scheduled"),
        repeats: { weekdays: [0, 1, 2, 3, 4, 5, 6], timezone: "UTC", windows: [] },
      },
    ],
  };
})();

const outageNotice = {
  ...({ kind: "outage", component: "Q1", isDown: true, startedAt: AT, endedAt: null } as const),
};
const maintenanceNotice: MaintenanceNotice = {
  ...{ kind: "maintenance", title: "Q2", message: null, components: ["Q1"] },
  ...{ startedAt: AT, endsAt: AT + MINUTE, isOver: false },
};
const mails: PageMail[] = [
  { kind: "optIn" },
  { kind: "incident", title: "Q4", update: { status: "identified", body: "Q" }, components: ["Q1"], at: AT },
  { kind: "incident", title: "Q4", update: null, components: [], at: AT },
  outageNotice,
  { ...outageNotice, isDown: false, endedAt: AT + 12 * MINUTE },
  maintenanceNotice,
  { ...maintenanceNotice, endsAt: null },
  { ...maintenanceNotice, isOver: true },
  ...(["planned", "moved", "canceled"] as const).map((plan) => ({ ...maintenanceNotice, plan })),
  { kind: "several", notices: [outageNotice, maintenanceNotice], count: 7 },
];

const CHOICE = { components: neutral.components, chosen: null };

const MONTH = { since: AT, until: AT, previous: "2026-10", next: null };

const kinds: SubscriptionPageKind[] = [
  ...([
    "pending",
    "invalid",
    "limited",
    "confirm",
    "confirmed",
    "unsubscribe",
    "unsubscribed",
    "choose",
    "manage",
    "saved",
  ] as const),
];

/** All that readers of a language see. */
function all(local: Localization): string {
  const mailTexts = mails.map((mail) => {
    const context = { pageTitle: "Q", pageUrl: address.url, token: "q", isLast: true, local };
    const { subject, text, html } = pageMail(mail, context);
    return `<p>${subject}</p><p>${text}</p>${html}`;
  });
  const documents = [
    renderPage(neutral, { ...address, local, canSubscribe: true }),
    renderPage(calmPage({ ...neutral, components: [], incidents: [], maintenances: [] }), {
      ...{ ...address, local, canSubscribe: false },
    }),
    ...neutral.incidents.map((incident) => renderIncidentPage(neutral, { ...address, local, incident })),
    ...[neutral, { ...neutral, incidents: [], maintenances: [] }].map((page) =>
      renderMonthPage(page, { ...address, local, month: "2026-10", span: MONTH, events: page }),
    ),
    ...kinds.map((kind) => subscriptionPage(local, { title: "Q", url: address.url }, kind, CHOICE)),
    notFoundPage(local, ""),
    unescaped(feed(neutral, { url: address.url, local }).replaceAll(/<id>.*<\/id>/g, "")),
  ];
  return [...documents, ...mailTexts].join("\n");
}

/** The content of feed entries is HTML, which the feed escapes. */
function unescaped(markup: string): string {
  return markup.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"');
}

/** The texts between tags, and in attributes with texts. */
function seen(markup: string): string {
  const visible = markup.replaceAll(/<(style|script|symbol)\b.*?<\/\1>/gs, "");
  const attributes = [
    ...visible.matchAll(/ (?:aria-label|title|content|data-t|data-own|data-since|alt)="([^"]*)"/g),
  ];
  return [visible.replaceAll(/<[^>]*>/g, " "), ...attributes.map(([, text]) => text)]
    .join(" ")
    .replaceAll(/https:\S+/g, "");
}

const wordsIn = (text: string) => new Set(text.match(/[A-Za-z]{3,}/g) ?? []);

/** Words that are the same in all languages, and words of the head of a document. */
const NEUTRAL = wordsIn(
  "JSON UTC Atom https urn uuid stillup website width device initial scale noindex amp",
);

/** As brotli. */
function size(page: PublicPage, local: Localization): number {
  const document = renderPage(page, { ...address, local, canSubscribe: true });
  return brotliCompressSync(document, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }).length;
}

test.each(["ar-EG", "ar-IQ", "ar-MR"])(
  "behavior 15.43, 21.8: with the digits of %s, a page is at most 1.5 kB larger than in English, and 33 kB large on the worst days",
  (locale) => {
    const local = localFor(locale);
    expect(local.locale).toBe(locale);
    expect(size(examplePage(), local) - size(examplePage(), english())).toBeLessThan(1500);
    expect(size(busyPage(), local)).toBeLessThan(33_000);
  },
);

describe.each(localizations.filter(([language]) => language !== "en"))("in %s", (_language, local) => {
  test("behavior 21.1: no English is left on the page, in its feed and in its e-mails", () => {
    const allowed = new Set([
      ...NEUTRAL,
      ...wordsIn(JSON.stringify(local.texts)),
      ...wordsIn([local.duration(12 * MINUTE, "long"), local.duration(12 * MINUTE, "short")].join(" ")),
    ]);
    const left = wordsIn(seen(all(english())))
      .intersection(wordsIn(seen(all(local))))
      .difference(allowed);
    expect([...left]).toEqual([]);
  });

  test("behavior 21.1: each English text is translated, except words that both languages have", () => {
    const texts = (one: Localization) => JSON.stringify(one.texts).match(/"[^"]* [^"]* [^"]*"/g) ?? [];
    const own = new Set(texts(local));
    expect(texts(english()).filter((text) => own.has(text))).toEqual([]);
  });

  test("behavior 15.43, 21.8: is at most 1 kB larger than in English, and 30 kB large on the worst days", () => {
    const usual = examplePage();
    expect(size(usual, local) - size(usual, english())).toBeLessThan(1000);
    expect(size(busyPage(), local)).toBeLessThan(30_000);
  });
});

test("behavior 21.5: the IDs of feed entries and their times are the same in each language", () => {
  const idsIn = (local: Localization) =>
    feed(neutral, { url: address.url, local }).match(/<(id|updated|published)>[^<]*/g);
  for (const [, local] of localizations) expect(idsIn(local)).toEqual(idsIn(english()));
});

test.each(localizations)(
  "behavior 21.5, 21.7: a document in %s has its language and direction, and the entries of the feed have it too",
  (language, local) => {
    const documents = [
      renderPage(neutral, { ...address, local, canSubscribe: true }),
      notFoundPage(local, ""),
      subscriptionPage(local, { title: "Q", url: address.url }, "confirm"),
      pageMail({ kind: "optIn" }, { pageTitle: "Q", pageUrl: address.url, token: "q", isLast: false, local })
        .html,
    ];
    const direction = language === "ar" || language === "he" ? ' dir="rtl"' : "";
    for (const document of documents) expect(document).toContain(`<html lang="${language}"${direction}>`);
    const entries = unescaped(feed(neutral, { url: address.url, local }));
    expect(entries.includes(`<content type="html"><div${direction}><p>`)).toBe(direction !== "");
  },
);

test("behavior 21.7: a name in the title of a window and in a description has a direction of its own", () => {
  const names = { title: "Acme (EU)!", description: "All of it!" };
  const [name, description] = ["\u2068Acme (EU)!\u2069", "\u2068All of it!\u2069"];
  const page = { ...neutral, ...names };
  const local = localFor("he");
  const summary = local.texts.summary[page.indicator];
  const whole = renderPage(page, { ...address, local, canSubscribe: false });
  expect(whole).toContain(`<title>${summary} – ${name}</title>`);
  expect(whole).toContain(`content="${name}: ${summary} – ${description}"`);
  const [outageOfQ1, , , , , written] = neutral.incidents.map((incident) =>
    renderIncidentPage(page, { ...address, local, incident }),
  );
  expect(outageOfQ1).toContain(`\u2068Q1\u2069 – ${name}</title>`);
  expect(written).toContain(`<title>\u2068Q4\u2069 – ${name}</title>`);
  expect(written).toContain(`content="\u2068Q4\u2069 – ${name}"`);
  const confirm = subscriptionPage(local, { title: names.title, url: address.url }, "confirm");
  expect(confirm).toContain(` – ${name}</title>`);
  expect(unlockPage(local, { title: names.title, base: "" })).toContain(`<title>${name}</title>`);
});

test.each(localizations)("names in the texts of %s are text", (_language, local) => {
  const hostile = '<img src=x onerror=alert(1)>"{time}{title}';
  const page = { ...neutral, title: hostile };
  const incident = outage(5, {
    ...{ outage: { component: hostile, isDown: true, lengthMs: 0 }, updates: [update("investigating", AT)] },
  });
  const components = neutral.components.map((component) => ({ ...component, name: hostile }));
  const documents = [
    renderPage({ ...page, components, incidents: [incident] }, { ...address, local, canSubscribe: true }),
    renderIncidentPage(page, { ...address, local, incident }),
    subscriptionPage(local, { title: hostile, url: address.url }, "confirmed"),
    pageMail(
      { ...outageNotice, component: hostile },
      { ...{ pageTitle: hostile, pageUrl: address.url, token: "q", isLast: false, local } },
    ).html,
  ];
  for (const document of documents) {
    expect(document).not.toMatch(/<img|onerror=alert\(1\)>|x>"/);
    expect(document).toContain("{time}{title}");
  }
});
