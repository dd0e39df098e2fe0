import { expect, setDefaultTimeout } from "bun:test";
import { join } from "node:path";
import { isAccessible } from "../support/browser/accessibility.ts";
import { toggleSection } from "../support/browser/monitor-form.ts";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { longTest as test } from "../support/long.ts";
import { createAuthority } from "../support/servers/certificates.ts";
import { Registry } from "../support/servers/registry.ts";
import { tempDir } from "../support/temp-dir.ts";

setDefaultTimeout(PATIENCE);

// A name of this machine (RFC 6761), which is a domain by the default rule of the public suffix list.
const HOST = "shop.localhost";

test("behavior 20.81: the form asks for the registration, and the page of the monitor shows it below the certificate", async () => {
  using registry = new Registry();
  using dir = tempDir();
  const list = join(dir.path, "dns.json");
  await Bun.write(list, JSON.stringify({ publication: "2026", services: [[["localhost"], [registry.url]]] }));
  const tls = await (await createAuthority()).issue([{ type: "dns", value: HOST }], { left: 300 });
  const target = Bun.serve({ hostname: "127.0.0.1", port: 0, tls, fetch: () => new Response() });
  await using served = await ServedPage.start(["--rdap-bootstrap", list]);
  await using reader = await served.opened("/monitors/new");
  const { page } = reader;
  await page.getByRole("radio", { name: /^Certificate/ }).check({ force: true });
  await page.getByLabel("Host", { exact: true }).fill("www.shop.de");
  await page.getByRole("textbox", { name: "Port", exact: true }).fill(String(target.port));
  await page.getByLabel("Name", { exact: true }).fill("shop");
  await toggleSection(page, "Warnings");
  await page.getByLabel("Also warn before the registration of the domain expires").check();
  await page.getByLabel("Expires soon: … days before its end", { exact: true }).fill("60");
  await page.getByRole("button", { name: "Create monitor" }).click();
  await page.getByText("the registry of .de offers no RDAP").first().waitFor();
  await isAccessible(page);

  registry.knows(HOST, { days: 45.5 });
  await page.getByLabel("Host", { exact: true }).fill(HOST);
  await page.getByRole("button", { name: "Create monitor" }).click();
  const { config, registration } = await served.savedMonitor(page);
  expect([config.registration, registration.domain]).toEqual([{ warnDays: 60 }, HOST]);
  await page.getByRole("heading", { name: `Registration of ${HOST}` }).waitFor();
  await page.getByText("Example Registrar Inc.", { exact: true }).waitFor();
  await page
    .getByText(/registration of shop.localhost expires in 45 days/)
    .first()
    .waitFor();
  await isAccessible(page);
  expect(reader.foreignRequests).toEqual([]);
  await target.stop(true);
});
