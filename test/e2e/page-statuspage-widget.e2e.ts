import { expect, setDefaultTimeout } from "bun:test";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { longTest as test } from "../support/long.ts";
import { createMonitor } from "../support/requests/monitors.ts";
import { createIncident, createPage } from "../support/requests/pages.ts";

setDefaultTimeout(PATIENCE);

const WIDGET = new URL(import.meta.resolve("@statuspage/status-widget/dist/index.js")).pathname;

/** A page of another origin that embeds the widget, which requests `/api/v2/summary.json` of the given host. */
function serveEmbedding(src: string) {
  // The build of the widget expects the variable.
  const page = `<!doctype html>
    <script>var parcelRequire</script>
    <script src="/widget.js"></script>
    <statuspage-widget src="${src}"></statuspage-widget>`;
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) =>
      url.endsWith("/widget.js")
        ? new Response(Bun.file(WIDGET))
        : new Response(page, { headers: { "content-type": "text/html" } }),
  });
}

test("behavior 15.55: Atlassian's own widget, in a page of another host, shows the state of a page at its own host", async () => {
  await using served = await ServedPage.start(["--page-hosts", "localhost=shop"]);
  const { id: monitorId } = await createMonitor(served.api, "SCHEDULED");
  const page = await createPage(served.api, {
    slug: "shop",
    visibility: "public",
    components: [{ monitorId }],
  });
  await createIncident(served.api, page.id, { impact: "critical" });
  const host = served.server.url.replace("127.0.0.1", "localhost");
  await using embedding = serveEmbedding(host);
  await using reader = await served.browser.reader(`http://127.0.0.1:${embedding.port}`);
  await reader.page.goto("/");
  const widget = reader.page.getByRole("link", { name: "Major Service Outage" });
  await widget.waitFor();
  expect(await widget.getAttribute("href")).toBe(host);
  expect(reader.foreignRequests.splice(0)).toEqual([`${host}/api/v2/summary.json`]);
});
