import { expect, setDefaultTimeout, test } from "bun:test";
import { isAccessibleInBothSchemes } from "../support/browser/accessibility.ts";
import { becomes } from "../support/browser/becomes.ts";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { smallTargets } from "../support/browser/targets.ts";
import { eventually } from "../support/eventually.ts";
import { HttpTarget, TcpTarget } from "../support/servers/targets.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

const served = await untilEndOfFile(ServedPage.start());

test("behavior 22.33, 22.34, 22.35: one cause is one row with its members, which then depend on one of them", async () => {
  const { api } = served;
  await using one = new HttpTarget();
  await using other = new HttpTarget();
  await using port = await TcpTarget.start();
  const of = (target: HttpTarget) => ({ url: target.url, interval: 1 });
  const shop = await served.monitor("HTTP", of(one), { name: "shop" });
  const books = await served.monitor("HTTP", of(other), { name: "books" });
  const tcp = { host: "127.0.0.1", port: port.port, interval: 1 };
  const database = await served.monitor("TCP", tcp, { name: "database" });
  const monitorOf = async (id: string) => (await api.get(`/api/v1/monitors/${id}`)).body.data;
  const all = [shop.id, books.id, database.id];
  const statuses = () => Promise.all(all.map(async (id) => (await monitorOf(id)).status));
  const areAll = async (status: string) => (await statuses()).every((is) => is === status);
  await eventually(() => areAll("up"));

  await using reader = await served.opened(`/monitors/${shop.id}`, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const { page } = reader;
  const shared = page.getByRole("region", { name: "What falls with it" });
  await shared.getByText("127.0.0.1: 2 other monitors").click();
  await becomes(() => shared.getByRole("link").allTextContents(), ["books", "database"]);
  await isAccessibleInBothSchemes(page);

  await Promise.all([one.break(), other.break(), port.break()]);
  await eventually(() => areAll("down"));
  const causes = async () => (await api.get("/api/v1/causes?open=true")).body.data;
  await eventually(async () => (await causes()).length > 0);
  const [{ title }] = await causes();
  await page.goto(`${served.server.url}/outages`);
  const card = page.getByRole("region", { name: "One cause" });
  await card.getByText(title).click();
  await becomes(
    async () => (await card.getByRole("link").allTextContents()).sort(),
    ["books", "database", "shop"],
  );
  await isAccessibleInBothSchemes(page);
  expect(await smallTargets(page)).toEqual([]);
  await card.getByRole("button", { name: "Make them depend on…" }).click();
  const dialog = page.getByRole("dialog", { name: "Make them depend on" });
  await becomes(() => dialog.getByRole("radio", { name: /^database/ }).isChecked(), true);
  await dialog.getByText("2 monitors will depend on it.").waitFor();
  await isAccessibleInBothSchemes(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  const dependencies = async () => [
    (await monitorOf(shop.id)).dependsOn,
    (await monitorOf(books.id)).dependsOn,
    (await monitorOf(database.id)).dependsOn,
  ];
  await becomes(dependencies, [[database.id], [database.id], []]);
  await page.getByRole("button", { name: "Undo" }).click();
  await becomes(dependencies, [[], [], []]);

  const [outage] = (await api.get(`/api/v1/outages?monitorId=${shop.id}`)).body.data;
  await page.goto(`${served.server.url}/outages/${outage.id}`);
  await page.getByText("One cause:").click();
  await page.getByRole("link", { name: "books" }).waitFor();
  await isAccessibleInBothSchemes(page);
});
