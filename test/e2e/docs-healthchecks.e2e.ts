import { test } from "bun:test";
import { readPage } from "../support/documentation/page.ts";
import { Reader } from "../support/documentation/reader.ts";
import { exampleCheck, startHealthchecks } from "../support/servers/healthchecks.ts";

const PAGE = "docs/from-healthchecks.md";

/** The check of the page. */
const CHECK = exampleCheck({
  tags: "production db",
  desc: "Runs every night",
  grace: 1200,
  timeout: undefined,
  schedule: "15 5 * * *",
  tz: "Europe/Riga",
  ping_url: "https://hc-ping.com/31365bce-8da9-4729-8ff3-aaa71d56b712",
  channels: "4ec5a071-2d08-4baa-898a-eb4eb3cd6941",
});
const INTEGRATION = { id: "4ec5a071-2d08-4baa-898a-eb4eb3cd6941", name: "Ops", kind: "slack" };

test(`${PAGE} does what it says, against a server that speaks the API of Healthchecks`, async () => {
  await using server = startHealthchecks({ checks: [CHECK], channels: [INTEGRATION] });
  await using reader = new Reader({ replace: { "https://healthchecks.io": server.url } });
  await reader.follow(await readPage(PAGE));
}, 300_000);
