import { expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readPage } from "../support/documentation/page.ts";
import { Background } from "../support/documentation/shell.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { Binary } from "../support/product/binary.ts";
import { Receiver } from "../support/servers/receiver.ts";
import { HttpTarget } from "../support/servers/targets.ts";
import { type Cluster, createCluster } from "../support/store/postgres/cluster.ts";
import { findPrograms } from "../support/store/postgres/programs.ts";
import { tempDir } from "../support/temp-dir.ts";

setDefaultTimeout(300_000);

const PAGE = "docs/nodes.md";
const HOST = "up.example.com";
const env = { PATH: `${process.env.PATH}:/usr/sbin` };

const { blocks } = await readPage(PAGE);
const own = blocks.filter(({ mark }) => mark === "tested by test/e2e/nodes.e2e.ts");
const [lineA = "", lineB = ""] = own.filter(({ language }) => language === "sh").map(({ text }) => text);
const caddyfile = own.find(({ language }) => language === "caddyfile")?.text ?? "";

const SENDERS = 4;
/** Check-ins before and after each death of a node. */
const ENOUGH = 20;

const isInstalled = Bun.which("caddy", { PATH: env.PATH }) && findPrograms();

test.skipIf(!isInstalled)(
  "behavior 12.69: two nodes behind Caddy, as the page sets them up, lose nothing when one after the other is killed",
  async () => {
    await using receiver = new Receiver();
    await using target = new HttpTarget();
    using folder = tempDir();
    await using binary = new Binary();
    const cluster = await createCluster();
    await using stack = new AsyncDisposableStack();
    stack.defer(cluster.end);
    const ports = [freePort(), freePort()] as const;
    const startNode = (line: string) => stack.use(nodeOf(line, { binary, cluster, ports }));
    const [a, b] = [startNode(lineA), startNode(lineB)];
    await eventually(() => [a, b].every(({ printed }) => printed.includes("listening on")));
    const listed = await binary.run(["nodes"], { STILLUP_DATABASE_URL: cluster.url("postgres") });
    expect(JSON.parse(listed.stdout).map(({ name }: { name: string }) => name)).toEqual(["a", "b"]);
    const caddy = await startCaddy(folder.path, ports);
    stack.use(caddy.process);
    const { curl, send } = caddy;
    await eventually(async () => (await curl("/")).includes("<html"));
    const key = (await Bun.file(join(binary.folder, "data/initial-owner-key")).text()).trim();
    const api = async (method: string, path: string, body?: object) => {
      const data = body ? ["-d", JSON.stringify(body)] : [];
      return JSON.parse(await curl(path, "-X", method, "-H", `Authorization: Bearer ${key}`, ...data)).data;
    };

    const hook = await api("POST", "/api/v1/alerts", {
      ...{ name: "hook", type: "WEBHOOK", config: { url: receiver.url } },
    });
    const create = (name: string, type: string, config: object) =>
      api("POST", "/api/v1/monitors", { name, type, config, alertChannelIds: [hook.id] });
    const site = await create("site", "HTTP", { url: target.url, interval: 1 });
    const jobs = await Promise.all(
      Array.from({ length: SENDERS }, (_, at) => create(`job ${at}`, "SCHEDULED", {})),
    );
    const signedIn = await curl(
      "/api/v1/session",
      "-i",
      "-d",
      JSON.stringify({ key }),
      "-H",
      `Origin: https://${HOST}`,
    );
    const [, cookie = ""] = /^set-cookie: (__Host-stillup_session=[^;]+)/im.exec(signedIn) ?? [];

    const acknowledged = new Map<string, string[]>(jobs.map(({ id }) => [id, []]));
    const count = () => [...acknowledged.values()].flat().length;
    let isOver = false;
    // Each job changes its own status with every check-in, and repeats what was not acknowledged.
    const senders = jobs.map(async ({ id, checkinUrl }) => {
      const words = acknowledged.get(id) ?? [];
      while (!isOver) {
        const word = words.length % 2 === 0 ? "failed" : "ok";
        const path = new URL(checkinUrl).pathname;
        if ((await send(`${path}?status=${word === "failed" ? "fail" : "ok"}`)) === 200) words.push(word);
      }
    });
    const more = async () => {
      const before = count();
      await eventually(() => count() > before + ENOUGH);
    };
    await more();
    await a[Symbol.asyncDispose]();
    await target.break();
    await more();
    expect(await curl("/api/v1/session", "-H", `Cookie: ${cookie}`)).toContain('"owner"');
    await eventually(async () => (await api("GET", `/api/v1/monitors/${site.id}`)).status === "down");
    const again = startNode(lineA);
    await eventually(() => again.printed.includes("listening on"));
    await b[Symbol.asyncDispose]();
    await target.fix();
    await more();
    await eventually(async () => (await api("GET", `/api/v1/monitors/${site.id}`)).status === "up");
    isOver = true;
    await Promise.all(senders);

    const results = async (id: string) => {
      const rows: { id: string; status: string; alertTriggered: boolean }[] = [];
      for (let cursor = ""; ; ) {
        const page = JSON.parse(
          await curl(
            `/api/v1/monitors/${id}/results?limit=200${cursor}`,
            "-H",
            `Authorization: Bearer ${key}`,
          ),
        );
        rows.push(...page.data);
        if (!page.cursor) return rows.reverse();
        cursor = `&cursor=${page.cursor}`;
      }
    };
    const transitions = new Set<string>();
    for (const { id } of jobs) {
      const rows = await results(id);
      const changes = rows.filter((row, at) => row.status !== (rows[at - 1]?.status ?? "ok"));
      // A check-in whose response was lost is recorded twice, because the job repeats it. No acknowledged one is missing.
      expect(changes.map(({ status }) => status)).toEqual(acknowledged.get(id) ?? []);
      for (const row of rows) if (row.alertTriggered) transitions.add(row.id);
      expect(rows.filter((row) => row.alertTriggered)).toEqual(changes);
    }
    const ofSite = await results(site.id);
    const changes = ofSite.filter(({ alertTriggered }) => alertTriggered).map(({ status }) => status);
    // On a busy machine, a check may be slow enough for Degraded.
    const groups = ["up", ...changes.map((status) => (status === "down" ? "down" : "up"))];
    expect(groups.filter((group, at) => group !== groups[at - 1])).toEqual(["up", "down", "up"]);
    for (const row of ofSite) if (row.alertTriggered) transitions.add(row.id);
    const received = () => new Set(receiver.received.map(({ payload }) => payload.data.result.id));
    await eventually(() => received().size === transitions.size);
    const byResult = Map.groupBy(receiver.received, ({ payload }) => payload.data.result.id);
    for (const some of byResult.values()) expect(new Set(some.map(({ id }) => id)).size).toBe(1);
  },
);

function nodeOf(
  line: string,
  { binary, cluster, ports }: { binary: Binary; cluster: Cluster; ports: readonly [number, number] },
): Background {
  const text = line
    .replace("postgresql://stillup@db.example.com/stillup?sslmode=verify-full", cluster.url("postgres"))
    .replace("7070", String(ports[0]))
    .replace("7071", String(ports[1]))
    .replace("\nstillup", "\nexec ./stillup");
  return new Background(text, { cwd: binary.folder, env });
}

/** The Caddyfile of the page, after options for other ports and Caddy's own authority. */
async function startCaddy(path: string, ports: readonly [number, number]) {
  const [port, plain] = [freePort(), freePort()];
  const options = `{
	http_port ${plain}
	https_port ${port}
	admin off
	local_certs
	skip_install_trust
	storage file_system ${path}
}
`;
  const upstreams = caddyfile.replace("7070", String(ports[0])).replace("7071", String(ports[1]));
  writeFileSync(join(path, "Caddyfile"), options + upstreams);
  const line = "exec caddy run --config Caddyfile --adapter caddyfile";
  const process = new Background(line, { cwd: path, env: { ...env, HOME: path } });
  const way = [
    "--resolve",
    `${HOST}:${port}:127.0.0.1`,
    "--cacert",
    join(path, "pki/authorities/local/root.crt"),
  ];
  const curl = async (to: string, ...args: string[]) => {
    const child = Bun.spawn(["curl", "-sS", ...way, `https://${HOST}:${port}${to}`, ...args], {
      stderr: "pipe",
    });
    return `${await new Response(child.stdout).text()}${await new Response(child.stderr).text()}`;
  };
  /** @returns the status code */
  const send = async (to: string) =>
    Number(await curl(to, "-X", "POST", "-o", "/dev/null", "-w", "%{http_code}"));
  return { process, curl, send };
}
