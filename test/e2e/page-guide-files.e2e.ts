import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { siteFileOf, withRelativeLinks, writeGuide } from "../../scripts/package/guide.ts";
import { addressOf, loadGuide } from "../../src/guide/guide.ts";
import { isAccessible } from "../support/browser/accessibility.ts";
import { PATIENCE, sharedBrowser } from "../support/browser/served-page.ts";
import { Binary } from "../support/product/binary.ts";
import { tempDir } from "../support/temp-dir.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

const dir = await untilEndOfFile(tempDir());
await writeGuide(dir.path);

/** A plain host of files, below a path. */
const host = await untilEndOfFile(serve());

function serve() {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) => {
      const path = new URL(url).pathname.replace(/^\/help\//, "/").replace(/\/$/, "/index.html");
      return new Response(Bun.file(join(dir.path, path)));
    },
  });
  return { url: `${server.url.origin}/help/`, [Symbol.asyncDispose]: () => server.stop(true) };
}

const contentOf = (page: string) => page.slice(page.indexOf("<main"), page.indexOf("</main>"));

test("behavior 9.140: the files have the contents of the pages that the compiled binary serves", async () => {
  await using binary = new Binary();
  const server = await binary.serve();
  const { files } = await loadGuide();
  const pages = new Map(files.map((file) => [addressOf(file), siteFileOf(file)]));
  for (const [address, file] of pages) {
    const served = contentOf(await (await fetch(server.url + address)).text());
    const written = contentOf(await Bun.file(join(dir.path, file)).text());
    expect(written).toBe(withRelativeLinks(served, file, pages));
  }
  expect(pages.size).toBeGreaterThan(50);
});

test.each([
  ["at a host", () => host.url],
  ["as files without a host", () => `${pathToFileURL(dir.path).href}/`],
])(
  "behavior 9.140, 9.141: %s, the guide is accessible, is searched in the browser, and asks no other host",
  async (_, root) => {
    const url = root();
    const browser = await sharedBrowser();
    await using context = await browser.chromium.newContext({ viewport: { width: 1280, height: 860 } });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    const asked: string[] = [];
    const errors: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
    page.on("pageerror", (error) => errors.push(String(error)));

    await page.goto(`${url}index.html`);
    await isAccessible(page);
    await page.getByRole("searchbox").fill("self-signed");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("heading", { name: "“self-signed”" }).waitFor();
    await isAccessible(page);
    await page
      .getByRole("link", { name: /self-signed certificates/ })
      .first()
      .click();
    await page.getByRole("heading", { level: 1, name: "Monitors" }).waitFor();
    expect(page.url()).toBe(`${url}monitors.html#your-own-authority-and-self-signed-certificates`);
    expect(await page.evaluate<string>("getComputedStyle(document.querySelector('main')).maxWidth")).toBe(
      "768px",
    );
    await page.getByRole("link", { name: "Status pages" }).first().click();
    await page.getByRole("heading", { level: 1 }).waitFor();
    // Browsers ask a host for its icon.
    expect(asked.filter((one) => !one.startsWith(url) && !one.endsWith("/favicon.ico"))).toEqual([]);
    // axe-core asks for the style sheet of files, which the policy forbids.
    expect(errors.filter((text) => !/ 404 |^Connecting to 'file:.*guide\.css' violates/.test(text))).toEqual(
      [],
    );
  },
);
