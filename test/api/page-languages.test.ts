import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { PasswordHash } from "../../src/domain/pages/page-password.ts";
import { LANGUAGES } from "../../src/domain/pages/reader-locale.ts";
import { calmPage, examplePage } from "../support/pages/example-page.ts";
import { servePages } from "../support/pages/page-server.ts";
import { ApiServer, type Members } from "../support/product/api-server.ts";
import { createPage, PAGES, uniqueSlug } from "../support/requests/pages.ts";
import { dueMails, subscribe } from "../support/store/subscribers.ts";

const page = examplePage();
const INCIDENT = `/incidents/${page.incidents[0]?.id}`;
const example = servePages(
  [page, calmPage({ slug: "calm" }), calmPage({ slug: "german", language: "de" })],
  {},
);
afterAll(() => example[Symbol.dispose]());

const VARY = "accept-encoding, host, accept-language";

const at = (path: string, accepted: string | null, headers: Record<string, string> = {}) =>
  fetch(`${example.url}${path}`, {
    headers: { ...headers, ...(accepted !== null && { "accept-language": accepted }) },
  });

describe.each(["", INCIDENT, "/feed.atom"])("the path %p of a page in the language of its reader", (path) => {
  test("behavior 21.2: is in the language of Accept-Language, which its Vary names", async () => {
    for (const [accepted, lang] of [
      [null, "en"],
      ["de-AT,de;q=0.9", "de-AT"],
      ["zh-HK", "zh-TW"],
      ["ga", "en"],
    ] as const) {
      const response = await at(`/status/example${path}`, accepted);
      expect(response.headers.get("vary")).toBe(VARY);
      expect(await response.text()).toContain(`lang="${lang}"`);
    }
  });

  test("behavior 21.3: has an ETag for each language, and a 304 for its own only", async () => {
    const etagIn = async (accepted: string) =>
      (await at(`/status/example${path}`, accepted)).headers.get("etag") ?? "";
    const [german, french] = [await etagIn("de"), await etagIn("fr")];
    expect(german).not.toBe(french);
    expect(await etagIn("de")).toBe(german);
    const again = (accepted: string) =>
      at(`/status/example${path}`, accepted, { "if-none-match": german }).then(({ status }) => status);
    expect([await again("de"), await again("fr")]).toEqual([304, 200]);
    expect((await at(`/status/example${path}`, "de", { "if-none-match": german })).headers.get("vary")).toBe(
      VARY,
    );
  });
});

test("behavior 15.35: is rendered once in each language and for each region, whole and embedded", async () => {
  const regions = "ar-EG ar-DZ ar-IQ de-AT de-CH en-GB en-AU en-DE es-MX es-CO fr-CA fr-CH it-CH sv-FI".split(
    " ",
  );
  let reads = 0;
  const counted = calmPage({ slug: "counted" });
  const { components } = counted;
  const get = () => {
    reads++;
    return components;
  };
  Object.defineProperty(counted, "components", { get });
  using server = servePages([counted]);
  const readAll = async () => {
    const before = reads;
    for (const view of ["", "?embed"])
      for (const accepted of [...LANGUAGES, ...regions]) {
        const headers = { "accept-language": accepted };
        await (await fetch(`${server.url}/status/counted${view}`, { headers })).bytes();
      }
    return reads - before;
  };
  expect(await readAll()).toBeGreaterThan(64);
  expect(await readAll()).toBe(0);
});

test("behavior 21.3: a page with a language of its own has no Accept-Language in its Vary", async () => {
  const response = await at("/status/german", "fr");
  expect(response.headers.get("vary")).toBe("accept-encoding, host");
  expect(await response.text()).toContain("<title>Alle Systeme betriebsbereit – Example status</title>");
});

test("behavior 21.9: JSON and badges are English, whatever the language of the page", async () => {
  for (const path of ["/api/v2/status.json", "/badge.json"]) {
    const response = await at(`/status/german${path}`, "fr");
    expect(response.headers.get("vary")).toBe("accept-encoding, host");
    expect(await response.text()).toContain("All Systems Operational");
  }
});

test("behavior 21.2: a missing page is named in the language of the reader", async () => {
  const headings = {
    "/status/none": "Page introuvable",
    "/status/example/incidents/none": "Cette page n’affiche pas cet incident.",
  };
  for (const [path, heading] of Object.entries(headings)) {
    const response = await at(path, "fr-CA");
    expect([response.status, response.headers.get("vary")]).toEqual([404, VARY]);
    expect(await response.text()).toContain(`<h1>${heading}</h1>`);
  }
});

test("behavior 21.2: a client that asks for many locales gets its language each time", async () => {
  for (let round = 0; round < 2; round++)
    for (const language of LANGUAGES)
      for (const region of ["AT", "GB", "MA"]) {
        const document = await (await at("/status/calm", `${language.slice(0, 2)}-${region}`)).text();
        expect(document.slice(0, 60)).toContain(`<html lang="${language.slice(0, 2)}`);
      }
});

describe("with a database", () => {
  let server: ApiServer;
  let members: Members;
  beforeAll(async () => {
    server = await ApiServer.start();
    members = await server.organization("Own", "enterprise");
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const HTML = "text/html,application/xhtml+xml";
  const publicPage = (values: object = {}) =>
    createPage(members.owner, { slug: uniqueSlug(), title: "Shop", visibility: "public", ...values });

  test("behavior 21.1: a page has a language and a time zone, which it always returns", async () => {
    const created = await createPage(members.owner, { slug: uniqueSlug(), title: "Shop" });
    expect(created).toMatchObject({ language: "auto", timezone: "UTC" });
    const changes = { language: "pt-BR", timezone: "America/Sao_Paulo" };
    const { status, body } = await members.owner.patch(`${PAGES}/${created.id}`, changes);
    expect([status, body.data]).toEqual([200, { ...created, ...changes }]);
  });

  test("behavior 21.1: an unknown language or time zone is a 422 that says what would be right", async () => {
    const { id } = await createPage(members.owner, { slug: uniqueSlug(), title: "Shop" });
    for (const [changes, sentence] of [
      [{ language: "pt" }, /^language must be one of auto, ar, cs, .*, zh-TW$/],
      [{ language: "DE" }, /^language must be one of /],
      [{ language: null }, /^language must be one of /],
      [{ timezone: "Berlin" }, /^timezone must be the IANA name of a time zone, such as Europe\/Berlin/],
      [{ timezone: null }, /^timezone must be /],
    ] as const) {
      const { status, body } = await members.owner.patch(`${PAGES}/${id}`, changes);
      expect(status).toBe(422);
      expect(body.error).toMatch(sentence);
    }
  });

  test("behavior 21.6: a subscription has the language of the request, until it is confirmed", async () => {
    const { slug } = await publicPage();
    const request = (accepted: string) =>
      fetch(`${server.url}/status/${slug}/subscriptions`, {
        method: "POST",
        body: JSON.stringify({ email: "ada@example.com" }),
        headers: { "content-type": "application/json", "accept-language": accepted },
      });
    const subscriber = async () =>
      (await dueMails(server.store, server.now() + 60_000)).find(({ page }) => page.slug === slug)
        ?.subscriber;
    await request("it-CH,it");
    expect((await subscriber())?.locale).toBe("it-CH");
    await request("fr");
    expect((await subscriber())?.locale).toBe("fr");
    await server.store.subscriptions.confirm((await subscriber())?.token ?? "", server.now());
    await request("ja");
    expect((await subscriber())?.locale).toBe("fr");
  });

  test("behavior 21.2: the pages of a subscription are in the language of the reader, or of their page", async () => {
    const [{ slug }, german] = [await publicPage(), await publicPage({ language: "de" })];
    const token = await subscribe(server.store, slug, "grace@example.com", server.now());
    const germanToken = await subscribe(server.store, german.slug, "grace@example.com", server.now());
    const show = (path: string) =>
      fetch(`${server.url}/status${path}`, { headers: { accept: HTML, "accept-language": "nl" } });
    const own = await show(`/${slug}/subscriptions/unsubscribe?token=${token}`);
    expect([own.headers.get("vary"), own.headers.get("cache-control")]).toEqual([VARY, "no-store"]);
    expect(await own.text()).toContain("<h1>Afmelden</h1>");
    const other = await show(`/${german.slug}/subscriptions/unsubscribe?token=${germanToken}`);
    expect(other.headers.get("vary")).toBe("accept-encoding, host");
    expect(await other.text()).toContain("<h1>Abbestellen</h1>");
    expect(await (await show(`/${slug}/subscriptions/confirm?token=none`)).text()).toContain(
      "Pagina niet gevonden",
    );
    const invalid = await fetch(`${server.url}/status/${slug}/subscriptions`, {
      method: "POST",
      body: "email=none",
      headers: {
        accept: HTML,
        "accept-language": "nl",
        "content-type": "application/x-www-form-urlencoded",
      },
    });
    expect(invalid.status).toBe(422);
    expect(await invalid.text()).toContain("Dit is geen geldig e-mailadres.");
  });
});

test("behavior 21.37: the form for a password is rendered once in each language", async () => {
  let reads = 0;
  const locked = calmPage({ slug: "locked", passwordHash: "a hash" as PasswordHash });
  const get = () => {
    reads++;
    return "Inside";
  };
  Object.defineProperty(locked, "title", { get });
  using server = servePages([locked]);
  const readAll = async () => {
    const before = reads;
    for (const accepted of [...LANGUAGES, "de-AT", "en-GB"]) {
      const headers = { accept: "text/html", "accept-language": accepted };
      expect((await fetch(`${server.url}/status/locked`, { headers })).status).toBe(401);
    }
    return reads - before;
  };
  expect(await readAll()).toBe(LANGUAGES.length);
  expect(await readAll()).toBe(0);
});
