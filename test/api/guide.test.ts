import { expect, test } from "bun:test";
import { GUIDE, PATHS } from "../../src/dashboard/paths.ts";
import { ApiServer } from "../support/product/api-server.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(ApiServer.start());

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}${path}`, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const linksIn = (text: string) => [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, href = ""]) => href);

test("behavior 9.113: every page of the guide is there, and every link and anchor in it leads somewhere", async () => {
  const pages = new Map<string, string>();
  const open = ["/guide"];
  for (const path of open) {
    const { status, text, headers } = await get(path);
    expect([path, status]).toEqual([path, 200]);
    if (headers.get("content-type") !== "text/html; charset=utf-8") continue;
    pages.set(path, text);
    for (const href of linksIn(text)) {
      const [target = ""] = href.split("#");
      if (target.startsWith("/guide") && !open.includes(target)) open.push(target);
    }
  }
  expect(pages.size).toBeGreaterThan(50);
  const dead = [...pages].flatMap(([path, text]) =>
    linksIn(text).flatMap((href) => {
      const [target = "", anchor] = href.split("#");
      const page = pages.get(target === "" ? path : target);
      return anchor !== undefined && page && !page.includes(` id="${anchor}"`) ? [`${path}: ${href}`] : [];
    }),
  );
  expect(dead).toEqual([]);
  expect([...pages].filter(([, text]) => text.includes("<p>&lt;!--")).map(([path]) => path)).toEqual([]);
});

test("behavior 9.113: a page has no script and loads nothing from elsewhere", async () => {
  const { text, headers } = await get("/guide/monitors", { cookie: "stillup_theme=dark" });
  expect(headers.get("content-security-policy")).toStartWith("default-src 'none'; style-src 'self'");
  expect(text).not.toContain("<script");
  expect(text).toContain('<html data-theme="dark"');
  expect([...text.matchAll(/src="(?!\/guide\/)/g)]).toEqual([]);
  expect((await get("/guide/pictures/overview-light.png")).headers.get("content-type")).toBe("image/png");
});

test.each(["/guide/none", "/guide/../package.json", "/guide/%2e%2e/package", "/guide/pictures/none.png"])(
  "behavior 9.113: %s is not found",
  async (path) => {
    expect((await get(path)).status).toBe(404);
  },
);

test("behavior 9.115: each view leads to a page of the guide about it", async () => {
  expect(GUIDE.length).toBeGreaterThan(8);
  for (const [view, page] of GUIDE) {
    expect(PATHS.some((path) => path.startsWith(view))).toBeTrue();
    const [path, anchor] = page.split("#");
    const { status, text } = await get(`/guide/${path}`);
    expect([page, status, !anchor || text.includes(` id="${anchor}"`)]).toEqual([page, 200, true]);
  }
});

const foundBy = async (query: string) => {
  const { text } = await get(`/guide/search?q=${encodeURIComponent(query)}`);
  return linksIn(text.slice(text.indexOf('<main id="content"'), text.indexOf("</main>")));
};

test.each([
  ["forgot password", "/guide/people#passwords"],
  ["Telegram", "/guide/channels/services#telegram"],
  ["host name for a page", "/guide/status-pages#a-host-name-and-an-icon-of-its-own"],
  ["silence in a deploy", "/guide/maintenance#a-deployment"],
  ["nightly backup", "/guide/backup"],
  ["GitHub Actions", "/guide/configuration"],
  ["docker compose", "/guide/containers"],
  ["self-signed", "/guide/monitors#your-own-authority-and-self-signed-certificates"],
  ["keyword", "/guide/monitors#http-what-counts-as-up"],
  ["escalation", "/guide/alerts"],
  ["2FA", "/guide/people"],
  ["sla", "/guide/outages"],
  ["why did it fail", "/guide/outages#why-it-failed"],
  ["root cause", "/guide/outages#why-it-failed"],
  ["traceroute", "/guide/outages#why-it-failed"],
])("behavior 9.114: a search for %s finds %s in its first answers", async (query, expected) => {
  expect((await foundBy(query)).slice(0, 5).some((href) => href.startsWith(expected))).toBeTrue();
});

test("behavior 9.114: what is searched for stays text, and nothing found is said", async () => {
  const { text, status } = await get(`/guide/search?q=${encodeURIComponent('<img src=x> "zzzz')}`);
  expect(status).toBe(200);
  expect(text).toContain("&lt;img src=x&gt; &quot;zzzz");
  expect(text).not.toContain("<img src=x");
  expect((await get("/guide/search?q=zzzzqqqq")).text).toContain("Nothing about");
  expect((await get("/guide/search")).status).toBe(200);
});
