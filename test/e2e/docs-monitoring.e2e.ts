import { expect, test } from "bun:test";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readPage } from "../support/documentation/page.ts";
import { eventually } from "../support/eventually.ts";
import { Binary, type RunningServer } from "../support/product/binary.ts";
import { Client } from "../support/requests/client.ts";
import { scrape } from "../support/requests/scrape.ts";
import { Prometheus } from "../support/servers/prometheus.ts";

const PAGE = "docs/monitoring.md";
const KEY_FILE = "/etc/prometheus/stillup.key";

const { blocks, code } = await readPage(PAGE);
const own = blocks.filter(({ mark }) => mark === "tested by test/e2e/docs-monitoring.e2e.ts");
const [makeKey = ""] = own.filter(({ language }) => language === "sh").map(({ text }) => text);
const [scrapeConfig = ""] = own.filter(({ language }) => language === "yaml").map(({ text }) => text);

/** The key file that the documented command creates. */
async function makeKeyFile(binary: Binary): Promise<string> {
  const file = join(binary.folder, "stillup.key");
  const line = makeKey.replace(KEY_FILE, file).replace(/^stillup/, "./stillup");
  const { exitCode, stderr } = Bun.spawnSync(["sh", "-c", line], { cwd: binary.folder });
  if (exitCode !== 0) throw new Error(String(stderr));
  return file;
}

test("the documented key gives access to the metrics, and every metric of the documented expressions exists", async () => {
  await using binary = new Binary();
  const server = await binary.serve();
  const key = (await Bun.file(await makeKeyFile(binary)).text()).trim();
  const { types } = await scrape(new Client(server.url, key));
  const expressions = code.filter((text) => /^stillup_.* [<=>]+ /.test(text));
  expect(expressions.length).toBeGreaterThanOrEqual(2);
  const named = expressions.flatMap((text) => text.match(/\bstillup_\w+/g) ?? []);
  expect(named.filter((name) => !(name in types))).toEqual([]);
}, 300_000);

const missing = ["prometheus", "promtool"].filter((name) => Bun.which(name) === null);
const title =
  "Prometheus accepts the documented configuration with the rules, and finds no fault in the metrics";

test.skipIf(missing.length > 0)(
  missing.length > 0 ? `${title}: NOT RUN, because ${missing.join(" and ")} is missing` : title,
  async () => {
    await using binary = new Binary();
    const server = await binary.serve();
    const config = await configure(binary, server);
    for (const check of ["check config prometheus.yml", "check rules --lint-fatal rules.yml"]) {
      expect(promtool(check, binary)).toMatchObject({ code: 0 });
    }
    const { text } = await scrape(await server.client());
    writeFileSync(join(binary.folder, "metrics.txt"), text);
    expect(promtool("check metrics <metrics.txt", binary)).toEqual({ code: 0, printed: "" });

    await using prometheus = await Prometheus.start(binary.folder, config);
    const query = async (expression: string) => (await prometheus.query(expression))[0]?.values[0]?.[1];
    await eventually(async () => (await query('up{job="stillup"}')) === "1");
    expect(await query('stillup_healthy{part="database"}')).toBe("1");
  },
  300_000,
);

/** The configuration of the page with other ports, another key file and a shorter interval, in a file beside the rules. */
async function configure(binary: Binary, { url }: RunningServer): Promise<string> {
  const config = scrapeConfig
    .replace(KEY_FILE, await makeKeyFile(binary))
    .replace("127.0.0.1:7070", new URL(url).host);
  const often = "global: { scrape_interval: 1s, evaluation_interval: 1s }\nrule_files: [rules.yml]\n";
  writeFileSync(join(binary.folder, "prometheus.yml"), often + config);
  copyFileSync("deploy/prometheus/rules.yaml", join(binary.folder, "rules.yml"));
  return often + config;
}

function promtool(line: string, { folder }: Binary) {
  const { exitCode, stdout } = Bun.spawnSync(["sh", "-c", `promtool ${line} 2>&1`], { cwd: folder });
  return { code: exitCode, printed: String(stdout).trim() };
}
