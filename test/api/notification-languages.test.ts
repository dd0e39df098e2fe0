import { expect, test } from "bun:test";
import { basename } from "node:path";
import { localizationOf } from "../../src/alerts/languages/localization.ts";
import type { Language } from "../../src/domain/pages/reader-locale.ts";
import { eventually } from "../support/eventually.ts";
import { TestServer } from "../support/product/server.ts";
import { checkIn, createChannel, createMonitor } from "../support/requests/monitors.ts";
import { MailServer } from "../support/servers/mail-server.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const mail = await untilEndOfFile(MailServer.start({ startTls: false }));
const { smtp } = mail.settings({ host: "127.0.0.1" });
const server = await untilEndOfFile(TestServer.start({ ...(smtp && { smtp }) }));
const owner = server.client;

const channelOf = (values: object) =>
  createChannel(owner, { type: "EMAIL", config: { to: "ops@example.com" }, ...values });

/** The language of the HTML of the mails that were received. */
const languages = () => mail.received.map(({ source }) => /<html lang=(?:3D)?"([\w-]+)"/.exec(source)?.[1]);

test("behavior 27.41, 27.47: notifications are in the language of their channel, else of the organization", async () => {
  await owner.patch("/api/v1/organization", { language: "de" });
  const [german, swedish] = [await channelOf({}), await channelOf({ language: "sv" })];
  for (const { id } of [german, swedish])
    expect((await owner.post(`/api/v1/alerts/${id}/test`)).body.data.status).toBe("delivered");
  expect((await owner.post("/api/v1/server/mail-test", { to: "ops@example.com" })).body.data.outcome).toBe(
    "delivered",
  );
  expect(languages()).toEqual(["de", "sv", "de"]);
  const monitor = await createMonitor(owner, "SCHEDULED", { alertChannelIds: [swedish.id] });
  await checkIn(owner, monitor.id, "fail");
  await eventually(() => languages().length >= 4);
  expect(languages()).toEqual(["de", "sv", "de", "sv"]);
});

test("behavior 27.40: a server loads the texts of a language at their first use", async () => {
  const loadedFor = async (language: Language) => {
    const script = `
      const { localizationOf } = await import("./src/alerts/languages/localization.ts");
      const tables = () => Object.keys(require.cache).filter((path) => /alerts.languages.[a-z]{2}(-[A-Z]{2})?.ts$/.test(path));
      const before = tables();
      localizationOf("${language}");
      console.log(JSON.stringify([before, tables()]));`;
    const { stdout } = Bun.spawn(["bun", "-e", script], { stdout: "pipe" });
    const loaded: string[][] = JSON.parse(await new Response(stdout).text());
    return loaded.map((paths) => paths.map((path) => basename(path, ".ts")));
  };
  expect(await loadedFor("en")).toEqual([[], ["en"]]);
  const [before, after] = await loadedFor("de");
  expect(before).toEqual([]);
  expect(after).toContain("de");
});

test("each language of notifications has its dates", () => {
  expect(localizationOf("sv").time(Date.UTC(2026, 10, 21, 14, 30, 5))).toBe("21 nov. 2026 14:30:05 UTC");
});
