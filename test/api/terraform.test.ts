import { expect, test } from "bun:test";
import { $ } from "bun";
import { type HclBlock, readHcl } from "../support/documentation/hcl.ts";
import { readPage } from "../support/documentation/page.ts";
import { TestServer } from "../support/product/server.ts";
import { createMonitor } from "../support/requests/monitors.ts";
import { isMissing } from "../support/requirements.ts";
import { HttpTarget } from "../support/servers/targets.ts";
import {
  type ObjectSettings,
  type ProviderSettings,
  RestProvider,
} from "../support/terraform/rest-provider.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(TestServer.start());
const { client } = server;
const site = await untilEndOfFile(new HttpTarget());

const page = await readPage("docs/terraform.md");
const blockOf = (language: string) => page.blocks.find((block) => block.language === language)?.text ?? "";
const document = blockOf("hcl");
/** With a target that is on this machine and healthy, so that nobody is notified. */
const local = document.replace("https://shop.example.com/", site.url);

const variables: Record<string, unknown> = {
  "var.stillup_key": client.key,
  "var.slack_webhook": "https://hooks.slack.com/services/T0/B0/secret",
};

/** The settings of the page, for the server of the test. */
function settings(): ProviderSettings {
  const block = blocks(new Map()).find(({ type }) => type === "provider") as HclBlock;
  const { uri, ...rest } = block.attributes;
  return {
    ...rest,
    uri: String(uri).replace("https://status.example.com", server.client.url),
  } as ProviderSettings;
}

/** @param ids of the resources that exist */
function blocks(ids: ReadonlyMap<string, string>): HclBlock[] {
  return readHcl(local)((name) => {
    const [, resource] = /^restapi_object\.(\w+)\.id$/.exec(name) ?? [];
    return resource ? (ids.get(resource) ?? "unknown") : variables[name];
  });
}

/** Terraform on the document of the page: in the order of the references. */
class Terraform {
  readonly provider = new RestProvider(settings());
  readonly names = blocks(new Map())
    .filter(({ type }) => type === "resource")
    .map(({ labels: [, name = ""] }) => name);

  resource(name: string, changes: object = {}): ObjectSettings {
    const ids = new Map(this.names.map((one) => [one, this.provider.idOf(one)]));
    const block = blocks(ids).find(({ labels }) => labels[1] === name);
    const found = block?.attributes as unknown as ObjectSettings;
    return { ...found, data: JSON.stringify({ ...JSON.parse(found.data), ...changes }) };
  }

  async applyAll(): Promise<void> {
    for (const name of this.names) await this.provider.apply(name, this.resource(name));
  }

  async destroyAll(): Promise<void> {
    for (const name of this.names.toReversed()) await this.provider.destroy(name);
  }
}

test("behavior 16.4, 16.5: the document of docs/terraform.md is created, planned, changed and deleted, request by request", async () => {
  const terraform = new Terraform();
  const { provider } = terraform;
  expect(terraform.names).toEqual(["ops", "shop", "status"]);

  await terraform.applyAll();
  expect(provider.takeSent()).toEqual([
    ["PUT /alerts/by-ref/ops", 201],
    ["PUT /monitors/by-ref/shop", 201],
    ["PUT /pages/by-ref/status", 201],
  ]);
  const [ops, shop, status] = terraform.names.map((name) => provider.idOf(name));
  const created = (await client.get(`/api/v1/monitors/${shop}`)).body.data;
  expect(created).toMatchObject({
    ref: "shop",
    name: "Shop front",
    alertBindings: [{ alertChannelId: ops }],
  });

  // Nothing has changed: the second apply only reads.
  await terraform.applyAll();
  expect(provider.takeSent()).toEqual([
    [`GET /alerts/${ops}`, 200],
    [`GET /monitors/${shop}`, 200],
    [`GET /pages/${status}`, 200],
  ]);

  // A changed entry is an update in place.
  const renamed = terraform.resource("shop", { name: "Shop" });
  expect(await provider.plan("shop", renamed)).toBe("update");
  provider.takeSent();
  await provider.apply("shop", renamed);
  expect(provider.takeSent()).toEqual([
    [`GET /monitors/${shop}`, 200],
    ["PUT /monitors/by-ref/shop", 200],
  ]);
  expect((await client.get(`/api/v1/monitors/${shop}`)).body.data).toMatchObject({ id: shop, name: "Shop" });
  expect(await provider.plan("shop", renamed)).toBe("nothing");

  // A change by hand is not seen, and what the entry says is sent with its next change.
  await client.patch(`/api/v1/monitors/${shop}`, { name: "By hand" });
  expect(await provider.plan("shop", renamed)).toBe("nothing");

  // A deleted object is created again, with its ref.
  await client.delete(`/api/v1/pages/${status}`);
  provider.takeSent();
  await provider.apply("status", terraform.resource("status"));
  expect(provider.takeSent()).toEqual([
    [`GET /pages/${status}`, 404],
    ["PUT /pages/by-ref/status", 201],
  ]);

  const again = provider.idOf("status");
  await client.delete(`/api/v1/pages/${again}`);
  await terraform.destroyAll();
  expect(provider.takeSent()).toEqual([
    [`DELETE /pages/${again}`, 404],
    [`DELETE /monitors/${shop}`, expect.any(Number)],
    [`DELETE /alerts/${ops}`, expect.any(Number)],
  ]);
  expect((await client.get(`/api/v1/monitors/${shop}`)).status).toBe(404);
});

test("behavior 16.4: an object that has the ref is taken over without an import", async () => {
  const { id } = await createMonitor(client, "HTTP");
  const [, path = "", body = "{}"] = /\/api\/v1(\S+)ID .* '(.*)'$/m.exec(blockOf("sh")) ?? [];
  expect((await client.patch(`/api/v1${path}${id}`, JSON.parse(body))).body.data).toMatchObject({
    ref: "shop",
  });
  const terraform = new Terraform();
  await terraform.applyAll();
  expect(terraform.provider.takeSent()).toContainEqual(["PUT /monitors/by-ref/shop", 200]);
  expect(terraform.provider.idOf("shop")).toBe(id);
  await terraform.destroyAll();
});

test("behavior 16.4: an import reads the object, the next apply sends it once, and then nothing is left to do", async () => {
  const first = new Terraform();
  await first.applyAll();
  const shop = first.provider.idOf("shop");
  const second = new Terraform();
  const { provider } = second;
  await provider.import("ops", `/alerts/${first.provider.idOf("ops")}`);
  await provider.import("shop", `/monitors/${shop}`);
  expect(provider.takeSent().map(([, status]) => status)).toEqual([200, 200]);
  await provider.apply("ops", second.resource("ops"));
  await provider.apply("shop", second.resource("shop"));
  expect(provider.takeSent()).toEqual([
    [`GET /alerts/${first.provider.idOf("ops")}`, 200],
    ["PUT /alerts/by-ref/ops", 200],
    [`GET /monitors/${shop}`, 200],
    ["PUT /monitors/by-ref/shop", 200],
  ]);
  expect(provider.idOf("shop")).toBe(shop);
  expect(await provider.plan("shop", second.resource("shop"))).toBe("nothing");
  expect(await provider.plan("ops", second.resource("ops"))).toBe("nothing");
  await first.destroyAll();
});

const person = (await client.post("/api/v1/people", { email: "mia@example.com", role: "viewer" })).body.data;
const KINDS: Record<string, object> = {
  "/alerts": { name: "Hook", type: "WEBHOOK", config: { url: "http://127.0.0.1:9/" } },
  "/monitors": { name: "Job", type: "SCHEDULED", config: { period: 3600 } },
  "/schedules": {
    name: "Nights",
    layers: [{ personIds: [person.id], every: "week", startsAt: "2026-03-02T08:00:00.000Z" }],
  },
  "/reports/mails": { title: "Week", kind: "week", to: ["ops@example.com"], selector: { all: true } },
  "/maintenances": { title: "Rack", selector: { all: true }, cron: "0 3 29 2 *", duration: 600 },
  "/pages": { slug: "kinds", title: "Kinds" },
};

test.each(Object.entries(KINDS))(
  "behavior 16.4: %s are created, read, replaced and deleted",
  async (path, values) => {
    const { provider } = new Terraform();
    const byRef = `${path}/by-ref/kind`;
    const wanted = (changes: object) => ({
      path,
      create_path: byRef,
      update_path: byRef,
      ignore_server_additions: true,
      data: JSON.stringify({ ...values, ...changes }),
    });
    await provider.apply("kind", wanted({}));
    const id = provider.idOf("kind");
    expect(await provider.plan("kind", wanted({}))).toBe("nothing");
    await provider.apply("kind", wanted({ ref: "kind" }));
    await provider.destroy("kind");
    expect(provider.takeSent().map(([request]) => request)).toEqual([
      `PUT ${byRef}`,
      `GET ${path}/${id}`,
      `GET ${path}/${id}`,
      `PUT ${byRef}`,
      `DELETE ${path}/${id}`,
    ]);
  },
);

test.skipIf(isMissing(["terraform"]))(
  "the document of docs/terraform.md is HCL in the form that Terraform writes",
  async () => {
    // CHECKPOINT_DISABLE: it asks no other host for a newer version.
    const env = { PATH: process.env.PATH ?? "", CHECKPOINT_DISABLE: "1" };
    expect(await $`terraform fmt - < ${Buffer.from(document)}`.env(env).quiet().text()).toBe(document);
  },
);
