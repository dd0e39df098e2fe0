import { describe, expect, test } from "bun:test";
import { chmodSync, copyFileSync, statSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { $ } from "bun";
import { version } from "../../package.json";
import { IMAGE } from "../../scripts/package/kit.ts";
import { readConfig } from "../../src/config.ts";
import { connectionOf } from "../../src/store/postgres/connection-config.ts";
import { type ComposeFile, readCompose } from "../support/environments/compose.ts";
import { isMissing } from "../support/requirements.ts";
import { tempDir } from "../support/temp-dir.ts";

const FOLDER = "deploy/compose";
const files = ["compose.yaml", "compose.postgres.yaml"];
const schema = await Bun.file("node_modules/dclint/schemas/compose.schema.json").json();
const variables = { STILLUP_DOMAIN: "up.example.com", STILLUP_OWNER_EMAIL: "ana@example.com" };
const read = async (name: string) => readCompose(await Bun.file(join(FOLDER, name)).text(), variables);
const nodesOf = ({ services }: ComposeFile) =>
  Object.values(services).filter(({ image }) => image.startsWith(IMAGE));

describe.each(files)("%s", (name) => {
  test("behavior 24.63: it is valid by the schema of the compose specification", async () => {
    const ajv = new Ajv({ strict: false });
    addFormats(ajv);
    const validate = ajv.compile({ ...schema, $schema: "http://json-schema.org/draft-07/schema#" });
    const file = await read(name);
    validate(file);
    expect(validate.errors).toBeNull();
    validate({ ...file, services: { wrong: { ...Object.values(file.services)[0], read_onyl: true } } });
    expect(validate.errors).not.toBeNull();
  });

  test("behavior 24.63: stillup runs in it read-only, without rights, watched, and for long enough to stop cleanly", async () => {
    const nodes = nodesOf(await read(name));
    expect(nodes.length).toBe(name === "compose.yaml" ? 1 : 2);
    for (const node of nodes)
      expect(node).toMatchObject({
        image: `${IMAGE}:${version}`,
        read_only: true,
        cap_drop: ["ALL"],
        security_opt: ["no-new-privileges:true"],
        restart: "unless-stopped",
        stop_grace_period: "30s",
        healthcheck: { test: ["CMD", "/usr/local/bin/stillup", "health"] },
      });
  });

  test("it names only volumes and secrets that it has, and stillup accepts its variables", async () => {
    const file = await read(name);
    for (const service of Object.values(file.services)) {
      const { volumes = [], secrets = [] } = service as { volumes?: string[]; secrets?: string[] };
      const named = volumes
        .map((volume) => volume.split(":")[0] ?? "")
        .filter((from) => !from.startsWith("."));
      expect(Object.keys(file.volumes ?? {})).toEqual(expect.arrayContaining(named));
      expect(Object.keys(file.secrets ?? {})).toEqual(expect.arrayContaining(secrets));
    }
    for (const { environment: env = {} } of nodesOf(file)) {
      expect(() => readConfig({}, { env, isTerminal: false })).not.toThrow();
    }
  });
});

describe("compose.discovery.yaml", () => {
  const added = { ...variables, DOCKER_GID: "999" };
  const text = () => Bun.file(join(FOLDER, "compose.discovery.yaml")).text();

  test("behavior 28.116: stillup gets a socket that passes on two requests that read, and no other", async () => {
    const { services, volumes } = readCompose(await text(), added);
    const ajv = new Ajv({ strict: false });
    addFormats(ajv);
    const validate = ajv.compile({ ...schema, $schema: "http://json-schema.org/draft-07/schema#" });
    validate({ services, volumes });
    expect(validate.errors).toBeNull();
    const { stillup, docker } = services;
    expect(JSON.stringify(stillup)).not.toContain("/var/run/docker.sock");
    const command = Object(docker?.command) as string[];
    const [, allowed = ""] = /^-allowGET=(.*)$/.exec(command[0] ?? "") ?? [];
    // The proxy adds ^ and $.
    const paths = [
      "/containers/json",
      "/events",
      "/containers/json/x",
      "/containers/a/json",
      "/v1.41/events",
      "/info",
    ];
    expect(paths.filter((path) => new RegExp(`^${allowed}$`).test(path))).toEqual(paths.slice(0, 2));
    expect(command.filter((option) => option.startsWith("-allow"))).toHaveLength(1);
    expect(docker).toMatchObject({
      ...{ read_only: true, cap_drop: ["ALL"], network_mode: "none", user: "10001:999" },
      labels: { "stillup.enable": "false" },
    });
  });

  test("is for compose.yaml, and stillup accepts its settings", async () => {
    const { services } = readCompose(await text(), added);
    const own = await read("compose.yaml");
    const env = { ...own.services.stillup?.environment, ...services.stillup?.environment };
    const { discover } = readConfig({}, { env, isTerminal: false });
    const socket = /^-proxysocketendpoint=(.*)$/.exec(String(Object(services.docker?.command)[1]))?.[1] ?? "";
    expect(discover).toEqual({ docker: { socket, host: "host.docker.internal" } });
    expect(() => readCompose("${DOCKER_GID:?}")).toThrow("DOCKER_GID");
  });
});

test("compose.postgres.yaml demands its domain", async () => {
  const text = await Bun.file(join(FOLDER, "compose.postgres.yaml")).text();
  expect(() => readCompose(text)).toThrow("required variable STILLUP_DOMAIN is missing a value");
});

test.skipIf(isMissing(["od"], { root: true }))(
  "behavior 24.64: compose.postgres.yaml has no password, but files that create-secrets creates and that both sides read",
  async () => {
    using dir = tempDir();
    const script = join(dir.path, "create-secrets");
    copyFileSync(join(FOLDER, "create-secrets"), script);
    await $`${script}`;
    const { services, secrets } = await read("compose.postgres.yaml");
    const fileOf = (name: string) => join(dir.path, secrets?.[name]?.file ?? "");
    const password = await Bun.file(fileOf("database-password")).text();
    expect(password).toMatch(/^[0-9a-f]{48}$/);
    expect(statSync(join(dir.path, "secrets")).mode & 0o777).toBe(0o700);
    // The entry point of PostgreSQL reads it as another user than root.
    expect(statSync(fileOf("database-password")).mode & 0o777).toBe(0o644);
    expect(statSync(fileOf("pgpass"))).toMatchObject({ uid: 10_001, gid: 10_001 });
    expect(statSync(fileOf("pgpass")).mode & 0o777).toBe(0o600);
    const { STILLUP_DATABASE_URL, PGPASSFILE } = services["node-a"]?.environment ?? {};
    expect(PGPASSFILE).toBe("/run/secrets/pgpass");
    const { configs } = connectionOf({
      dataDir: dir.path,
      databaseUrl: STILLUP_DATABASE_URL,
      databasePassword: { file: fileOf("pgpass") },
    } as never);
    const [{ password: find } = {}] = configs;
    expect(await (find as () => Promise<string>)()).toBe(password);
    expect((await $`${script}`.quiet().nothrow()).exitCode).not.toBe(0);
    expect(await Bun.file(fileOf("database-password")).text()).toBe(password);
  },
);

test.skipIf(isMissing(["caddy"]))("Caddy finds nothing wrong with the Caddyfile", async () => {
  using dir = tempDir();
  const env = { ...process.env, ...variables, HOME: dir.path };
  const file = join(FOLDER, "Caddyfile");
  const validated = await $`caddy validate --config ${file} --adapter caddyfile`.env(env).quiet().nothrow();
  expect(validated.exitCode).toBe(0);
  expect(await $`caddy fmt ${file}`.env(env).text()).toBe(await Bun.file(file).text());
});

test.skipIf(isMissing(["shellcheck"]))("shellcheck finds nothing wrong with create-secrets", async () => {
  chmodSync(join(FOLDER, "create-secrets"), 0o755);
  expect(await $`shellcheck ${join(FOLDER, "create-secrets")}`.nothrow().text()).toBe("");
});
