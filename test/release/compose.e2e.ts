import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { imageNeeds } from "../../scripts/package/image.ts";
import { Background } from "../support/documentation/shell.ts";
import { readCompose, runOptions, type Service } from "../support/environments/compose.ts";
import { Podman } from "../support/environments/podman.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { imageArchive } from "../support/release/image.ts";
import { Client } from "../support/requests/client.ts";
import { isMissing } from "../support/requirements.ts";
import { createCluster } from "../support/store/postgres/cluster.ts";
import { findPrograms } from "../support/store/postgres/programs.ts";
import { tempDir } from "../support/temp-dir.ts";

setDefaultTimeout(300_000);

const engine = imageNeeds() === undefined ? await Podman.create(imageArchive()) : undefined;
afterAll(() => engine?.[Symbol.asyncDispose]());

function podman(): Podman {
  if (!engine) throw new Error("Podman does not run here");
  return engine;
}

const read = (name: string) => Bun.file(join("deploy/compose", name)).text();
const serviceOf = (file: { services: Record<string, Service> }, name: string): Service =>
  file.services[name] ?? { image: "" };

test.skipIf(!engine)(
  "behavior 24.63: the service of compose.yaml starts with exactly its options, is healthy, and keeps its data in its volume",
  async () => {
    const port = freePort();
    const url = `http://127.0.0.1:${port}`;
    const file = readCompose(await read("compose.yaml"), { STILLUP_PORT: `${port}`, STILLUP_BASE_URL: url });
    const { image, ...service } = serviceOf(file, "stillup");
    const args = runOptions({ image, ...service });
    const first = await podman().start({ image, args });
    expect(await podman().call(["healthcheck", "run", first.id])).toMatchObject({ code: 0 });
    const directory = await podman().directoryOf("data");
    const key = (await Bun.file(join(directory, "initial-owner-key")).text()).trim();
    const client = new Client(url, key);
    const { body } = await client.post("/api/v1/monitors", { name: "job", type: "SCHEDULED", config: {} });
    expect(body.data.checkinUrl).toStartWith(`${url}/`);
    expect(await first.stop()).toBe(0);
    const second = await podman().start({ image, args });
    expect((await client.get(`/api/v1/monitors/${body.data.id}`)).status).toBe(200);
    await second.kill();
    await podman().must(["volume", "rm", "data"]);
  },
);

const HOST = "up.example.com";
const SUBNET = "172.30.70.0/24";

test.skipIf(!engine || isMissing(["caddy", "curl"]) || !findPrograms())(
  "behavior 24.64: the nodes of compose.postgres.yaml run behind its Caddyfile with its options, and one continues without the other",
  async () => {
    const variables = { STILLUP_DOMAIN: HOST };
    const file = readCompose(await read("compose.postgres.yaml"), variables);
    await using stack = new AsyncDisposableStack();
    const folder = stack.use(tempDir());
    const cluster = await createCluster();
    stack.defer(cluster.end);
    chmodSync(cluster.dir, 0o755);
    const network = await podman().network(SUBNET);

    // The image of PostgreSQL is not here: the nodes reach a server of this machine by its socket.
    const start = async (name: string) => {
      const { image, secrets: _, ...service } = serviceOf(file, name);
      const environment = {
        ...service.environment,
        STILLUP_DATABASE_URL: "postgresql://postgres@/postgres?host=/socket",
      };
      const args = runOptions({ image, ...service, environment });
      return podman().start({
        image,
        args: [...args, `--network=${network}`, `--volume=${cluster.dir}:/socket`],
      });
    };
    const a = await start("node-a");
    const b = await start("node-b");
    const addresses = await Promise.all(
      [a, b].map((node) => node.inspect("{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}")),
    );

    const [port, plain] = [freePort(), freePort()];
    const lines = [
      "admin off",
      "local_certs",
      "skip_install_trust",
      `http_port ${plain}`,
      `https_port ${port}`,
    ];
    const options = `{\n${[...lines, `storage file_system ${folder.path}`].join("\n")}\n}\n`;
    const config = (await read("Caddyfile"))
      .replace("node-a", addresses[0] ?? "")
      .replace("node-b", addresses[1] ?? "");
    await Bun.write(join(folder.path, "Caddyfile"), options + config);
    const env = { PATH: process.env.PATH ?? "", HOME: folder.path, ...variables };
    stack.use(
      new Background("exec caddy run --config Caddyfile --adapter caddyfile", { cwd: folder.path, env }),
    );
    const authority = join(folder.path, "pki/authorities/local/root.crt");
    const key = (
      await Bun.file(join(await podman().directoryOf("node-a"), "initial-owner-key")).text()
    ).trim();
    const curl = async (path: string, ...more: string[]) => {
      const way = [
        "--resolve",
        `${HOST}:${port}:127.0.0.1`,
        "--cacert",
        authority,
        "-H",
        `Authorization: Bearer ${key}`,
      ];
      const child = Bun.spawn(["curl", "-sS", ...way, `https://${HOST}:${port}${path}`, ...more], {
        stderr: "ignore",
      });
      return new Response(child.stdout).text();
    };
    await eventually(async () => (await curl("/")).includes("<html"));
    const nodes = JSON.parse((await b.run(["/usr/local/bin/stillup", "nodes"])).stdout);
    expect(nodes.map(({ name }: { name: string }) => name)).toEqual(["a", "b"]);
    const { data } = JSON.parse(
      await curl("/api/v1/monitors", "-d", JSON.stringify({ name: "job", type: "SCHEDULED", config: {} })),
    );
    expect(data.checkinUrl).toStartWith(`https://${HOST}/`);
    await a.kill();
    // Caddy answers nothing while it finds out that a node is away.
    await eventually(async () => (await curl(`/api/v1/monitors/${data.id}`)).includes('"name":"job"'));
    expect(await b.stop()).toBe(0);
  },
);
