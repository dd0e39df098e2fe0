import { test } from "bun:test";
import { leave, PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { startDeafServer } from "../support/servers/deaf-server.ts";

test(
  "behavior 13.55: the page says while the network of the server is offline, and no longer",
  async () => {
    using deaf = await startDeafServer();
    await using served = await ServedPage.start(["--network-check", `127.0.0.1:${deaf.port}`]);
    const reader = await served.signedIn();
    const warning = reader.page
      .getByRole("status")
      .filter({ hasText: "The network of this server is offline." });
    await warning.waitFor();
    deaf.accept();
    await warning.waitFor({ state: "detached" });
    await reader.page.getByRole("heading", { name: "No monitors yet" }).waitFor();
    await leave(reader);
  },
  PATIENCE,
);

test(
  "behavior 20.37: the page says while the server may not ping, and no longer",
  async () => {
    await using served = await ServedPage.start();
    const reader = await served.signedIn();
    const { page } = reader;
    await page.route("**/healthz", (route) => route.fulfill({ json: { status: "ok", ping: "closed" } }));
    await page.reload();
    const warning = page.getByRole("status").filter({ hasText: "This server may not ping." });
    await warning.waitFor();
    await page.unroute("**/healthz");
    await warning.waitFor({ state: "detached" });
    await leave(reader);
  },
  PATIENCE,
);
