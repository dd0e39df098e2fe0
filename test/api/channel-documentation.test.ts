import { expect, test } from "bun:test";
import { requestOf } from "../../src/alerts/deliver.ts";
import { declarationOf, formatOf, optionsOf, secretOptions } from "../../src/domain/alerts/webhook-format.ts";
import { AT, down } from "../support/alerts/transitions.ts";
import { readPage } from "../support/documentation/page.ts";
import { differences } from "../support/documentation/shown.ts";
import { TestServer } from "../support/product/server.ts";
import { PushService } from "../support/servers/push-service.ts";
import type { Service } from "../support/servers/services/service-call.ts";
import { SERVICES, ServiceServer, services } from "../support/servers/services/service-server.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const SERVICES_PAGE = await readPage("docs/channels/services.md");
const CUSTOM_PAGE = await readPage("docs/channels/custom.md");
const DEVICES_PAGE = await readPage("docs/channels/devices.md");

/** Texts of the pages, and what the stand-ins know instead. */
const SECRETS: Record<string, string> = {
  tk_XXXXXXXX: "tk_good",
  AXXXXXXXX: "good",
  "123456:XXXXXXXX": "123:good",
  aXXXXXXXX: "app",
  uXXXXXXXX: "good",
  '"routingKey": "XXXXXXXX"': '"routingKey": "good"',
  syt_XXXXXXXX: "good",
  "!AbCdEf:example.org": "!room:example.org",
  "/v1/spaces/XXXX/messages?key=XXXX&token=XXXX": "/v1/spaces/AAAA/messages?key=k&token=good%3D",
  "+4915100000000": "+4915100000",
  ":9093": ":9093/am",
};

const server = await untilEndOfFile(TestServer.start());
const anything: Service = { answer: () => new Response("ok"), failures: {} };

function blocksOf({ blocks }: typeof CUSTOM_PAGE, language: string): string[] {
  const own = blocks.filter(({ mark }) => mark === "tested by test/api/channel-documentation.test.ts");
  return own.filter((block) => block.language === language).map(({ text }) => text);
}

/** The JSON that a command of a page sends. */
function sentBy(command: string) {
  const [, json = ""] = /-d '(.*)'/s.exec(command) ?? [];
  const known = Object.entries(SECRETS).reduce((text, [shown, good]) => text.replaceAll(shown, good), json);
  return JSON.parse(known.replaceAll(/"\w?XXXXXXXX"/g, '"good"'));
}

const commands = [...blocksOf(SERVICES_PAGE, "sh"), ...blocksOf(CUSTOM_PAGE, "sh")].map(sentBy);

test.each(commands.map((channel, at) => [`${at + 1}: ${channel.config.format}`, channel] as const))(
  "docs/channels/services.md and docs/channels/custom.md create channels that work, %s",
  async (_, channel) => {
    const format = formatOf(channel.config);
    const name = SERVICES.find((one) => one === format);
    await using service = new ServiceServer(name ? services[name] : anything);
    const config = {
      ...channel.config,
      url: channel.config.url.replace(/^https?:\/\/[^/:]+(:\d+)?/, service.url),
    };
    const { status, body } = await server.client.post("/api/v1/alerts", { ...channel, config });
    expect(status).toBe(201);
    const tested = await server.client.post(`/api/v1/alerts/${body.data.id}/test`);
    expect(tested.body.data).toMatchObject({ status: "delivered" });
    expect(service.accepted.length).toBeGreaterThan(0);
  },
);

test("docs/channels/services.md has a channel of every service", () => {
  const shown = new Set<string>(commands.map(({ config }) => config.format));
  expect(SERVICES.filter((name) => !shown.has(name))).toEqual([]);
});

test("behavior 16.141: docs/channels/services.md lists the services with their options", async () => {
  const rows = SERVICES.map((format) => {
    const { label = "", url } = declarationOf[format];
    const { required = [], properties } = optionsOf(format);
    const secrets = secretOptions(format);
    const options = Object.keys(properties).map(
      (name) => `\`${name}\`${secrets.includes(name) ? "*" : ""}${required.includes(name) ? "" : "?"}`,
    );
    const anchor = label.toLowerCase().replaceAll(" ", "-");
    const address = url.usual ? `\`${url.usual}\`` : url.holdsToken ? "the whole address" : "your server";
    return `| [${label}](#${anchor}) | \`${format}\` | ${address} | ${options.join(", ") || "none"} |`;
  });
  const text = await Bun.file("docs/channels/services.md").text();
  expect(text.split("\n").filter((line) => line.startsWith("| ["))).toEqual(rows);
});

test("docs/channels/services.md shows the messages that arrive", () => {
  const notification = { id: "d1", event: down, now: AT };
  const url = "https://service.example.com";
  const base = "https://up.example.com";
  const [incident = "", alert = ""] = blocksOf(SERVICES_PAGE, "json");
  const key = { url, format: "pagerduty", options: { routingKey: "XXXXXXXX" } } as const;
  expect(differences(incident, requestOf(key, notification, base).body ?? "")).toEqual([]);
  const manager = { url, format: "alertmanager" } as const;
  expect(differences(alert, requestOf(manager, notification, base).body ?? "")).toEqual([]);
  const bot = { url, format: "telegram", options: { token: "1:a", chatId: "1" } } as const;
  const { text } = JSON.parse(requestOf(bot, notification, base).body ?? "{}");
  expect(blocksOf(SERVICES_PAGE, "html").map((one) => one.trim())).toEqual([text]);
});

test("docs/channels/devices.md shows the key, and creates a channel of a device, by the API and by a file", async () => {
  await using service = new PushService();
  const [key = "", create = ""] = blocksOf(DEVICES_PAGE, "sh");
  const [file = ""] = blocksOf(DEVICES_PAGE, "yaml");
  expect(key.trim()).toBe("api $url/webpush");
  expect((await server.client.get("/api/v1/webpush")).body.data).toEqual({ publicKey: expect.any(String) });
  const sent = sentBy(create);
  const { channels } = Bun.YAML.parse(file) as { channels: Record<string, typeof sent> };
  const [[ref, written] = ["", sent]] = Object.entries(channels);
  for (const { config } of [sent, written])
    expect(Object.keys(config.options)).toEqual(Object.keys(service.subscribe().options));
  await server.client.post("/api/v1/alerts", { ...sent, config: service.subscribe() });
  await server.client.post("/api/v1/apply", {
    channels: { [ref]: { ...written, config: service.subscribe() } },
  });
  const { data } = (await server.client.get("/api/v1/alerts?limit=200")).body;
  const created = data.filter(({ config }: typeof sent) => config.format === "webpush");
  expect(created).toHaveLength(2);
  for (const { id } of created) {
    const tested = await server.client.post(`/api/v1/alerts/${id}/test`);
    expect(tested.body.data).toMatchObject({ status: "delivered" });
  }
  expect(service.accepted).toHaveLength(2);
});
