import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { TestServer } from "../support/product/server.ts";
import { scrape } from "../support/requests/scrape.ts";
import { isMissing } from "../support/requirements.ts";

const FOLDER = "deploy/prometheus";

interface Rules {
  groups: {
    rules: { alert: string; expr: string; annotations: { summary: string; description: string } }[];
  }[];
}
interface UnitTests {
  tests: { alert_rule_test?: { alertname: string; exp_alerts?: object[] }[] }[];
}

const { groups } = Bun.YAML.parse(await Bun.file(`${FOLDER}/rules.yaml`).text()) as Rules;
const rules = groups.flatMap((group) => group.rules);

let server: TestServer;

beforeAll(async () => {
  server = await TestServer.start();
});

afterAll(async () => server[Symbol.asyncDispose]());

describe("the alerting rules of Prometheus", () => {
  test("name only metrics that exist", async () => {
    const { types } = await scrape(server.client);
    const named = rules.flatMap(({ expr }) => expr.match(/\b(?:stillup|process)_\w+/g) ?? []);
    expect(named.filter((name) => !(name in types))).toEqual([]);
    expect(named.length).toBeGreaterThan(rules.length);
  });

  test("are all in the table of docs/monitoring.md", async () => {
    const page = await Bun.file("docs/monitoring.md").text();
    const listed = [...page.matchAll(/^\| `(Stillup\w+)` \|/gm)].map(([, name]) => name ?? "");
    expect(listed).toEqual(rules.map(({ alert }) => alert));
  });

  test("have a unit test in which each one fires", async () => {
    const { tests } = Bun.YAML.parse(await Bun.file(`${FOLDER}/rules.test.yaml`).text()) as UnitTests;
    const firing = tests
      .flatMap(({ alert_rule_test = [] }) => alert_rule_test)
      .filter(({ exp_alerts }) => exp_alerts && exp_alerts.length > 0)
      .map(({ alertname }) => alertname);
    expect(rules.map(({ alert }) => alert).filter((alert) => !firing.includes(alert))).toEqual([]);
  });

  test.skipIf(isMissing(["promtool"]))("are accepted by Prometheus, and pass their unit tests", () => {
    const promtool = (...line: string[]) => {
      const { exitCode, stdout, stderr } = Bun.spawnSync(["promtool", ...line], { cwd: FOLDER });
      return { exitCode, printed: String(stdout) + String(stderr) };
    };
    expect(promtool("check", "rules", "--lint-fatal", "rules.yaml")).toMatchObject({ exitCode: 0 });
    expect(promtool("test", "rules", "rules.test.yaml")).toMatchObject({ exitCode: 0 });
  });
});
