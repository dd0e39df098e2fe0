import { expect, setDefaultTimeout } from "bun:test";
import { isAccessible } from "../support/browser/accessibility.ts";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { longTest as test } from "../support/long.ts";

setDefaultTimeout(PATIENCE);

test("behavior 20.90: the form offers a mail server, checks it, and keeps its protocol when it is edited", async () => {
  const greeter = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { open: (socket) => void socket.write("* OK ready\r\n"), data() {} },
  });
  await using served = await ServedPage.start();
  await using reader = await served.opened("/monitors/new");
  const { page } = reader;
  await page.getByRole("radio", { name: /^Mail server/ }).check({ force: true });
  await page.getByLabel("Host", { exact: true }).fill("127.0.0.1");
  await page.getByRole("textbox", { name: "Port", exact: true }).fill(String(greeter.port));
  await page.getByLabel("Protocol", { exact: true }).selectOption("IMAP");
  await page.getByRole("button", { name: "Check now" }).click();
  await page.locator(".check-now-preview", { hasText: "Up" }).waitFor();
  await isAccessible(page);
  await page.getByRole("button", { name: "Create monitor" }).click();
  const created = await served.savedMonitor(page);
  expect(created.config).toMatchObject({ port: greeter.port, protocol: "imap" });
  await page.locator(".monitor-watched", { hasText: "Mail server" }).waitFor();

  await page.goto(`/monitors/${created.id}/edit`);
  await page.getByLabel("Name", { exact: true }).fill("Inbox");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Inbox" }).waitFor();
  expect((await served.savedMonitor(page)).config).toEqual(created.config);
  expect(reader.foreignRequests).toEqual([]);
  greeter.stop(true);
});
