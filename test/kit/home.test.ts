import { describe, expect, test } from "bun:test";
import { parse } from "yaml";
import { countsAsDown, RESULT_STATUSES } from "../../src/domain/monitors/status.ts";
import { summarize } from "../../src/domain/monitors/status-schema.ts";
import { eventually } from "../support/eventually.ts";
import { TestServer } from "../support/product/server.ts";
import type { Client } from "../support/requests/client.ts";
import { createChannel, createMonitor } from "../support/requests/monitors.ts";
import { isMissing } from "../support/requirements.ts";
import { Receiver } from "../support/servers/receiver.ts";
import { HttpTarget } from "../support/servers/targets.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const HOST = "http://stillup.example.com:7070";

const server = await untilEndOfFile(TestServer.start());

/** The answer of the server to a request of a program, with whatever status. */
async function answerTo(resource: string, headers: Record<string, string>, client: Client) {
  const response = await fetch(resource.replace(HOST, client.url), { headers });
  return { status: response.status, json: await response.json() };
}

describe("the widget of Homepage", () => {
  interface Mapping {
    field: Field;
    format?: string;
    remap?: { value: unknown; to: string }[];
  }
  type Field = string | { [key: string]: Field };
  interface Widget {
    type: string;
    url: string;
    headers: Record<string, string>;
    mappings: Mapping[];
  }

  /** As Homepage reads it. */
  const valueIn = (field: Field, data: unknown): unknown => {
    if (typeof field === "string") return (data as Record<string, unknown>)[field];
    const [[key, rest] = ["", ""]] = Object.entries(field);
    return valueIn(rest, (data as Record<string, unknown>)[key]);
  };

  test("shows fields that the answer of a key of the role viewer has", async () => {
    const client = await server.organization();
    const key = await server.keyWith("viewer");
    const text = await Bun.file("deploy/homepage/services.yaml").text();
    // Homepage replaces it before it reads the YAML, with the line break at the end of the file.
    const services = parse(text.replaceAll("{{HOMEPAGE_FILE_STILLUP_KEY}}", `${key}\n`));
    const { widget } = services[0].Monitoring[0].stillup as { widget: Widget };
    expect(widget).toMatchObject({ type: "customapi", headers: { Authorization: `Bearer ${key}` } });
    const { status, json } = await answerTo(widget.url, widget.headers, client);
    expect(status).toBe(200);
    // Homepage shows four.
    expect(widget.mappings).toHaveLength(4);
    for (const { field, format = "text" } of widget.mappings) {
      expect([field, typeof valueIn(field, json)]).toEqual([
        field,
        format === "number" ? "number" : "string",
      ]);
    }
  });

  test("has a word for each state of all together", async () => {
    const states = (["up", "degraded", "down"] as const).map(
      (status) => summarize([{ status, count: 1 }]).overall,
    );
    const services = parse(await Bun.file("deploy/homepage/services.yaml").text());
    const [{ remap }] = services[0].Monitoring[0].stillup.widget.mappings as [Mapping];
    expect(remap?.map(({ value }) => value)).toEqual(states);
  });
});

interface Entity {
  name: string;
  unique_id: string;
  value_template: string;
  json_attributes_path?: string;
  json_attributes?: string[];
}
interface Resource {
  resource: string;
  headers?: Record<string, string>;
  sensor?: Entity[];
  binary_sensor?: Entity[];
}
interface Automation {
  id: string;
  triggers: Record<string, unknown>[];
  conditions?: { value_template: string }[];
  actions: { action: string; data?: Record<string, string> }[];
}
interface Package {
  rest: Resource[];
  rest_command: Record<string, { url: string; method: string }>;
  automation: Automation[];
}

async function readPackage(secrets: Record<string, string>): Promise<Package> {
  const text = await Bun.file("deploy/home-assistant/stillup.yaml").text();
  const resolve = (name: string) => {
    const value = secrets[name];
    if (value === undefined) throw new Error(`${name} is not among the secrets`);
    return value;
  };
  return parse(text, { customTags: [{ tag: "!secret", resolve }] });
}

/** Renders templates of Home Assistant. @throws with the name that does not exist */
async function render(templates: { template: string; variables: object }[]): Promise<string[]> {
  const child = Bun.spawn(["python3", "test/support/kit/render-templates.py"], {
    stdin: new Blob([JSON.stringify(templates)]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [printed, error] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(error.trim().split("\n").at(-1));
  return JSON.parse(printed);
}

/** The object that a path of attributes names, such as `$.data[0]`. */
function at(path: string, json: unknown): unknown {
  const keys = path.match(/[A-Za-z_]\w*|\d+/g) ?? [];
  return keys.reduce((value, key) => (value as Record<string, unknown> | undefined)?.[key], json);
}

const hasJinja = Bun.spawnSync(["python3", "-c", "import jinja2"], { stderr: "ignore" }).exitCode === 0;

describe("the package of Home Assistant", () => {
  const NO_SECRETS = {
    stillup_authorization: "Bearer wrong",
    stillup_webhook_id: "a",
    stillup_checkin_url: "http://127.0.0.1/",
  };

  /** The state of each entity by its name, and the attributes of those that have some. */
  async function statesOf({ rest }: Package, client: Client, monitorId: string) {
    const answers = await Promise.all(
      rest.map(async ({ resource, headers = {}, sensor = [], binary_sensor = [] }) => {
        const { json } = await answerTo(resource.replace("MONITOR_ID", monitorId), headers, client);
        return [...sensor, ...binary_sensor].map((entity) => ({ entity, json }));
      }),
    );
    const all = answers.flat();
    const texts = await render(
      all.map(({ entity, json }) => ({ template: entity.value_template, variables: { value_json: json } })),
    );
    const states = Object.fromEntries(all.map(({ entity }, index) => [entity.name, texts[index] ?? ""]));
    const attributes = Object.fromEntries(
      all.map(({ entity: { name, json_attributes_path = "$", json_attributes = [] }, json }) => {
        const found = Object(at(json_attributes_path, json)) as object;
        return [name, json_attributes.filter((key) => key in found)];
      }),
    );
    return { states, attributes };
  }

  test("calls each secret and each entity by a name of its own", async () => {
    const { rest } = await readPackage(NO_SECRETS);
    const entities = rest.flatMap(({ sensor = [], binary_sensor = [] }) => [...sensor, ...binary_sensor]);
    for (const field of ["name", "unique_id"] as const) {
      expect(new Set(entities.map((entity) => entity[field])).size).toBe(entities.length);
    }
  });

  test("takes for disconnected what lowers the uptime", async () => {
    const { rest } = await readPackage(NO_SECRETS);
    const { value_template = "" } =
      rest.flatMap(({ binary_sensor = [] }) => binary_sensor).find(({ name }) => name === "Shop") ?? {};
    const named = [...value_template.matchAll(/'(\w+)'/g)].map(([, status]) => status ?? "");
    expect(named.toSorted()).toEqual(RESULT_STATUSES.filter((status) => countsAsDown[status]).toSorted());
  });

  const needsJinja = isMissing(["python3"]) || !hasJinja;
  if (!hasJinja)
    process.stderr.write("LEFT OUT: templates of Home Assistant need jinja2 (Debian: python3-jinja2)\n");

  test.skipIf(needsJinja)(
    "has the states of the real answers, in health, in trouble and without a key",
    async () => {
      await using shop = new HttpTarget();
      const client = await server.organization();
      const { key } = (await client.post("/api/v1/api-keys", { name: "home", role: "viewer" })).body.data;
      const given = await readPackage({ ...NO_SECRETS, stillup_authorization: `Bearer ${key}` });
      const config = { url: shop.url, interval: 1 };
      const { id } = await createMonitor(client, "HTTP", { name: "Shop front", config });
      const status = async () => (await client.get(`/api/v1/monitors/${id}`)).body.data.status;

      await eventually(async () => (await status()) === "up");
      const healthy = await statesOf(given, client, id);
      expect(healthy.states).toEqual({
        stillup: "operational",
        "stillup monitors down": "0",
        "stillup monitors": "False",
        "stillup open outages": "0",
        "stillup latest outage": "none",
        "stillup monitors not checked": expect.stringMatching(/^\d+$/),
        "stillup service": "False",
        "Shop status": "up",
        Shop: "True",
        "Shop latency": expect.stringMatching(/^[\d.]+$/),
      });
      expect(healthy.attributes).toMatchObject({
        stillup: ["total", "healthy", "warning", "down"],
        "Shop status": ["name", "type", "enabled"],
      });

      await shop.break();
      await eventually(async () => (await status()) === "down");
      const down = await statesOf(given, client, id);
      expect(down.states).toMatchObject({
        stillup: "incident",
        "stillup monitors down": "1",
        "stillup monitors": "True",
        "stillup open outages": "1",
        "stillup latest outage": "Shop front",
        "Shop status": "down",
        Shop: "False",
        "Shop latency": "None",
      });
      expect(down.attributes).toMatchObject({
        "stillup latest outage": ["status", "startedAt", "acknowledgedBy"],
      });

      const [status401] = (await readPackage(NO_SECRETS)).rest;
      const { json } = await answerTo(status401?.resource ?? "", status401?.headers ?? {}, client);
      const [problem] = status401?.binary_sensor ?? [];
      const variables = { value_json: json };
      expect(await render([{ template: problem?.value_template ?? "", variables }])).toEqual(["True"]);
    },
  );

  test.skipIf(needsJinja)("shows a real notification of its webhook, and no other kind", async () => {
    await using receiver = new Receiver();
    const client = await server.organization();
    const channel = await createChannel(client, { config: { url: receiver.url } });
    const { id } = await createMonitor(client, "SCHEDULED", {
      name: "Nightly backup",
      alertChannelIds: [channel.id],
    });
    await client.get(`/api/v1/monitors/${id}/checkin?status=fail`);
    const json = await eventually(() => receiver.received[0]?.payload);
    const { automation } = await readPackage(NO_SECRETS);
    const notifies = automation.find((one) => one.id === "stillup_notification");
    expect(notifies?.triggers).toMatchObject([{ trigger: "webhook", allowed_methods: ["POST"] }]);
    const templates = [
      ...(notifies?.conditions ?? []).map(({ value_template }) => value_template),
      ...Object.values(notifies?.actions[0]?.data ?? {}),
    ];
    const variables = { trigger: { json } };
    const texts = await render(templates.map((template) => ({ template, variables })));
    expect(texts).toEqual([
      "True",
      `stillup_${id}`,
      "Nightly backup: failed",
      expect.stringMatching(/\S+ \S+/),
    ]);
    const notice = { trigger: { json: { type: "location.silent", data: {} } } };
    expect(await render([{ template: templates[0] ?? "", variables: notice }])).toEqual(["False"]);
  });

  test("checks in with stillup", async () => {
    const client = await server.organization();
    const { checkinUrl, id } = await createMonitor(client, "SCHEDULED", {
      name: "Home Assistant",
      config: { period: 60 },
    });
    const { rest_command, automation } = await readPackage({
      ...NO_SECRETS,
      stillup_checkin_url: checkinUrl,
    });
    const [action] = automation.find((one) => one.id === "stillup_checkin")?.actions ?? [];
    const command = rest_command[action?.action.replace("rest_command.", "") ?? ""];
    const { ok } = await fetch(command?.url ?? "", { method: (command?.method ?? "").toUpperCase() });
    expect(ok).toBe(true);
    expect((await client.get(`/api/v1/monitors/${id}`)).body.data.status).toBe("ok");
  });
});
