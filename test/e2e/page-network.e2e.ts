import { setDefaultTimeout } from "bun:test";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { eventually } from "../support/eventually.ts";
import { longTest as test } from "../support/long.ts";
import { startDeafServer } from "../support/servers/deaf-server.ts";

setDefaultTimeout(PATIENCE);

test("behavior 13.55: the page says while the network of the server is offline, and no longer", async () => {
  using deaf = await startDeafServer();
  await using served = await ServedPage.start(["--network-check", `127.0.0.1:${deaf.port}`]);
  await using reader = await served.opened("/");
  const warning = reader.page
    .getByRole("status")
    .filter({ hasText: "The network of this server is offline." });
  await warning.waitFor();
  deaf.accept();
  await warning.waitFor({ state: "detached" });
  await reader.page.getByRole("heading", { name: "No monitors yet" }).waitFor();
});

const SERVER = "**/api/v1/server";

test("behavior 20.37: the page says while the server may not ping, and no longer", async () => {
  await using served = await ServedPage.start();
  await using reader = await served.signedIn();
  const { page } = reader;
  await page.route(SERVER, async (route) => {
    const { data } = await (await route.fetch()).json();
    await route.fulfill({ json: { data: { ...data, ping: "closed" } } });
  });
  await page.goto("/");
  const warning = page.getByRole("status").filter({ hasText: "This server may not ping." });
  await warning.waitFor();
  await page.unroute(SERVER);
  await warning.waitFor({ state: "detached" });
});

test("behavior 16.330: the views of an unhealthy server are shown without an error in the console", async () => {
  await using served = await ServedPage.start(["--retention-days", "90"]);
  await using reader = await served.signedIn();
  const { page } = reader;
  await page.goto("/");
  const { pid, url } = served.server;
  Bun.spawnSync(["prlimit", "--pid", String(pid), "--fsize=1000:unlimited"]);
  await eventually(async () => (await fetch(`${url}/healthz`)).status === 503);
  await Promise.all([page.waitForResponse(SERVER), page.reload()]);
  await page.getByRole("heading", { name: "No monitors yet" }).waitFor();
  await page.waitForLoadState("networkidle");
});
