import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../support/eventually.ts";
import { TestServer } from "../support/product/server.ts";
import { createChannel, createMonitor } from "../support/requests/monitors.ts";
import { createLocation } from "../support/requests/probe-client.ts";
import { isMissing } from "../support/requirements.ts";
import { createAuthority } from "../support/servers/certificates.ts";
import { Prometheus } from "../support/servers/prometheus.ts";
import { HttpTarget } from "../support/servers/targets.ts";
import { tempDir } from "../support/temp-dir.ts";

interface Datasource {
  type: string;
  uid: string;
}
interface Panel {
  id: number;
  type: string;
  title: string;
  datasource?: Datasource;
  gridPos: { x: number; y: number; w: number; h: number };
  fieldConfig?: { defaults: { unit?: string; noValue?: string } };
  targets?: { refId: string; expr: string; instant: boolean; range: boolean; datasource: Datasource }[];
}
interface Dashboard {
  uid: string;
  title: string;
  schemaVersion: number;
  __requires: { type: string; id: string; version: string }[];
  templating: {
    list: {
      name: string;
      type: string;
      query: string | { query: string };
      multi: boolean;
      allValue?: string;
      datasource?: Datasource;
    }[];
  };
  panels: Panel[];
}

const text = await Bun.file("deploy/grafana/stillup.json").text();
const dashboard = JSON.parse(text) as Dashboard;
const shown = dashboard.panels.filter(({ type }) => type !== "row");
const targets = shown.flatMap(({ title, targets = [] }) => targets.map((target) => ({ title, ...target })));
const variables = dashboard.templating.list;

describe("the dashboard of Grafana", () => {
  test("has the form of Grafana 11, with a unit, a type that Grafana contains and a title of its own for each panel", () => {
    expect(dashboard.schemaVersion).toBe(39);
    expect(dashboard.__requires).toContainEqual(
      expect.objectContaining({ type: "grafana", version: "11.0.0" }),
    );
    const required = dashboard.__requires.filter(({ type }) => type === "panel").map(({ id }) => id);
    expect(new Set(shown.map(({ type }) => type))).toEqual(new Set(required));
    expect(shown.filter(({ fieldConfig }) => fieldConfig?.defaults.unit === undefined)).toEqual([]);
    const titles = dashboard.panels.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { targets: own = [] } of shown) {
      expect(own.length).toBeGreaterThan(0);
      expect(new Set(own.map(({ refId }) => refId)).size).toBe(own.length);
    }
  });

  test("has no panel over another, or beyond the 24 columns", () => {
    const cells = dashboard.panels.flatMap(({ title, gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => ({ title, x: x + (at % w), y: y + Math.floor(at / w) })),
    );
    const taken = Map.groupBy(cells, ({ x, y }) => `${x},${y}`);
    expect([...taken.values()].filter(({ length }) => length > 1)).toEqual([]);
    expect(cells.filter(({ x }) => x >= 24)).toEqual([]);
  });

  test("uses the data source that its reader chooses, everywhere", () => {
    expect(variables[0]).toMatchObject({ name: "datasource", type: "datasource", query: "prometheus" });
    const named = [...text.matchAll(/"uid":\s*"([^"]*)"/g)].map(([, uid]) => uid);
    expect(new Set(named)).toEqual(new Set(["stillup", "${datasource}"]));
    for (const { datasource } of [...shown, ...targets, ...variables.slice(1)]) {
      expect(datasource).toEqual({ type: "prometheus", uid: "${datasource}" });
    }
  });

  test("uses each of its variables, and no other", () => {
    const texts = [...targets.map(({ expr }) => expr), ...variables.slice(1).map(queryOf)];
    const used = texts.flatMap((one) => one.match(/\$\w+/g) ?? []).map((name) => name.slice(1));
    expect(new Set(used)).toEqual(
      new Set(["__rate_interval", ...variables.slice(1).map(({ name }) => name)]),
    );
  });
});

const queryOf = ({ query }: Dashboard["templating"]["list"][number]) =>
  typeof query === "string" ? query : query.query;

/** The values of a variable, as Grafana reads them for `label_values(SERIES, LABEL)`. */
async function valuesOf(prometheus: Prometheus, query: string): Promise<string[]> {
  const [, series = "", label = ""] = /^label_values\((.*), (\w+)\)$/.exec(query) ?? [];
  const parameters = new URLSearchParams({ "match[]": series });
  const response = await fetch(`${prometheus.url}/api/v1/label/${label}/values?${parameters}`);
  return ((await response.json()) as { data: string[] }).data;
}

/** A value inside a regular expression inside a text of PromQL, as Grafana writes it: it leaves quotes as they are. */
const escaped = (value: string) => value.replace(/[\\^$.*+?()[\]{}|]/g, "\\\\$&");

/** An expression with the values of variables. Some values of a variable with many are alternatives. */
function filled(expression: string, values: Record<string, string | string[]>): string {
  return expression.replace(/\$(\w+)/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`no value of $${name}`);
    return typeof value === "string" ? value : `(${value.map(escaped).join("|")})`;
  });
}

const RATE_INTERVAL = "1m";
const NAMES = ["Shop (front)", "50 % | a+b", "Mail", "shop.example.com", "Nightly backup"] as const;

/** Everything that the panels show happens: again and again with `stir`, because a rate needs an increase. */
async function liveServer() {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await TestServer.start());
  const { client } = server;
  const target = stack.use(new HttpTarget());
  const broken = stack.use(new HttpTarget());
  await broken.break();
  const authority = await createAuthority();
  const tls = await authority.issue([{ type: "ip", value: "127.0.0.1" }], { left: 40 });
  const secure = Bun.serve({ port: 0, hostname: "127.0.0.1", tls, fetch: () => new Response() });
  stack.defer(() => secure.stop(true));
  await createChannel(client, { config: { url: target.url } });
  const [shop, marked, mail, certificate, backup] = NAMES;
  await createMonitor(client, "HTTP", { name: shop, config: { url: target.url, interval: 1 } });
  await createMonitor(client, "HTTP", { name: marked, config: { url: target.url, interval: 1 } });
  await createMonitor(client, "HTTP", { name: mail, config: { url: broken.url, interval: 1 } });
  const host = { host: "127.0.0.1", port: secure.port, interval: 60 };
  await createMonitor(client, "TLS", { name: certificate, config: host });
  const job = await createMonitor(client, "SCHEDULED", { name: backup, config: { interval: 300 } });
  const { id, probe } = await createLocation(client, "fra");
  const far = { name: "far", config: { url: target.url, interval: 60 }, locations: [id] };
  const { id: monitorId } = await createMonitor(client, "HTTP", far);
  const key = await server.keyWith("viewer");
  const kept = stack.move();
  return {
    url: client.url,
    key,
    async stir() {
      for (const step of ["start", "0", "start", "1"]) {
        await client.as(undefined).get(`/api/v1/monitors/${job.id}/checkin/${step}`);
      }
      await probe.work();
      await probe.observe({ monitorId });
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

test.skipIf(isMissing(["prometheus"]))(
  "every query of the dashboard has data in Prometheus, for all monitors and for some",
  async () => {
    await using server = await liveServer();
    using folder = tempDir();
    writeFileSync(join(folder.path, "key"), server.key);
    const config = {
      global: { scrape_interval: "1s" },
      scrape_configs: [
        {
          job_name: "stillup",
          authorization: { credentials_file: "key" },
          static_configs: [{ targets: [new URL(server.url).host] }],
        },
      ],
    };
    await using prometheus = await Prometheus.start(folder.path, JSON.stringify(config));
    const chosen = (values: Record<string, string | string[]>) => async (query: string) =>
      valuesOf(prometheus, filled(query, values));

    /** The queries without a number in their answer. */
    const without = async (values: Record<string, string | string[]>) => {
      await server.stir();
      const given = { __rate_interval: RATE_INTERVAL, ...values };
      const asked = targets.map(async ({ title, refId, expr, instant }) => {
        const expression = filled(expr, given);
        const series = await (instant ? prometheus.query(expression) : prometheus.queryRange(expression, 30));
        const numbers = series.flatMap(({ values: points }) => points.map(([, value]) => Number(value)));
        return numbers.some((value) => Number.isFinite(value)) ? [] : [`${title} ${refId}`];
      });
      return (await Promise.all(asked)).flat();
    };
    const all = { job: "stillup", instance: ".*", monitor: ".*" };
    let empty: string[] = [];
    await eventually(async () => {
      empty = await without(all);
      return empty.length === 0;
    }, 60_000).catch(() => {});
    expect(empty).toEqual([]);

    const [job, instance, monitor] = variables.slice(1).map(queryOf);
    expect(await chosen({})(job ?? "")).toEqual(["stillup"]);
    const instances = await chosen(all)(instance ?? "");
    expect(instances).toEqual([new URL(server.url).host]);
    expect(await chosen(all)(monitor ?? "")).toEqual(expect.arrayContaining([...NAMES]));

    expect(await without({ job: "stillup", instance: instances, monitor: [...NAMES] })).toEqual([]);
    const down = targets.find(({ title }) => title === "Down")?.expr ?? "";
    const counted = async (...monitors: string[]) => {
      const values = { job: "stillup", instance: instances, monitor: monitors };
      return (await prometheus.query(filled(down, values)))[0]?.values[0]?.[1];
    };
    expect(await counted("Mail", "Shop (front)")).toBe("1");
    expect(await counted("Shop (front)", "50 % | a+b")).toBe("0");
  },
  120_000,
);
