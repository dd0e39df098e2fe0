import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { english } from "../../src/dashboard/languages/english.ts";
import { tableOf } from "../../src/dashboard/languages/json-files.ts";
import { LANGUAGES } from "../../src/domain/pages/reader-locale.ts";
import { TestServer } from "../support/product/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await TestServer.start();
});

afterAll(() => server[Symbol.asyncDispose]());

async function rootOf(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(new URL(path, server.client.url), {
    headers: { accept: "text/html", ...headers },
  });
  const [root = ""] = /<html[^>]*>/.exec(await response.text()) ?? [];
  const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(root)?.[1];
  return {
    lang: attribute("lang"),
    dir: attribute("dir"),
    locale: attribute("data-locale"),
    texts: attribute("data-texts") ?? "",
    vary: response.headers.get("vary"),
    link: response.headers.get("link"),
  };
}

describe("the HTML file of the page", () => {
  test.each([
    ["fr", "fr", "fr"],
    ["de-CH,de;q=0.9,en;q=0.8", "de", "de-CH"],
    ["en-GB", "en", "en-GB"],
    ["pt", "pt-BR", "pt-BR"],
    ["zh-HK", "zh-TW", "zh-TW"],
    ["xx, nn;q=0.5", "nb", "nb"],
    ["xx", "en", "en"],
    ["", "en", "en"],
  ])(
    "behavior 27.1: with the accepted languages %p is in %s, with dates of %s",
    async (accepted, lang, locale) => {
      expect(await rootOf("/outages", { "accept-language": accepted })).toMatchObject({ lang, locale });
    },
  );

  test("behavior 27.1: the language that was chosen in this browser comes first, with the region of the browser if that fits", async () => {
    const chosen = (language: string, accepted = "de-CH") =>
      rootOf("/", { cookie: `a=b; stillup_language=${language}; c=d`, "accept-language": accepted });
    for (const language of LANGUAGES)
      expect(await chosen(language, "xx")).toMatchObject({ lang: language, locale: language });
    expect(await chosen("ja")).toMatchObject({ lang: "ja", locale: "ja" });
    expect(await chosen("de")).toMatchObject({ lang: "de", locale: "de-CH" });
    for (const wrong of ["xx", 'fr"><script>', "FR", ""]) expect((await chosen(wrong)).lang).toBe("de");
  });

  test("behavior 27.1: the wall and invitations are in the language of the reader too", async () => {
    for (const path of ["/wall/x", "/invite/x", "/nowhere"])
      expect((await rootOf(path, { "accept-language": "sv" })).lang).toBe("sv");
  });

  test("behavior 27.2: says the direction, and that the answer depends on the language", async () => {
    for (const [language, dir] of [
      ["ar", "rtl"],
      ["he", "rtl"],
      ["hi", undefined],
    ] as const) {
      const root = await rootOf("/", { "accept-language": language });
      expect([root.lang, root.dir]).toEqual([language, dir]);
      expect(root.vary).toBe("accept-encoding, accept-language, cookie");
    }
  });

  test.each(LANGUAGES)("behavior 27.6: has its own texts in the language %s", async (language) => {
    const { app } = (await tableOf(language)) as typeof english;
    const headers = { accept: "text/html", "accept-language": language };
    const html = await (await fetch(server.client.url, { headers })).text();
    const { description, noScript } = app.document;
    expect(html).toContain(` content="${Bun.escapeHTML(description)}"`);
    expect(html).toContain(`<noscript>${Bun.escapeHTML(noScript)}</noscript>`);
  });

  test("behavior 27.4: names the texts of the language, whose first file is loaded at once and cached forever", async () => {
    const { texts, link } = await rootOf("/", { "accept-language": "pl" });
    expect(texts).toMatch(/^\/assets\/texts-\w+-pl$/);
    expect(link).toContain(`<${texts}-start.json>; rel=preload; as=fetch; crossorigin`);
    for (const file of ["start", "shared", "worker"]) {
      const answer = await fetch(new URL(`${texts}-${file}.json`, server.client.url));
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toBe("application/json");
      expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(Object.keys((await answer.json()) as object)).not.toEqual([]);
    }
  });
});
