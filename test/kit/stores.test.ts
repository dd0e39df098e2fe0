import { describe, expect, test } from "bun:test";
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { $ } from "bun";
import { parse } from "yaml";
import { version } from "../../package.json";
import { HOME, IMAGE, listKit, REPOSITORY } from "../../scripts/package/kit.ts";
import { createProgram } from "../../src/cli/program.ts";
import { isMissing } from "../support/requirements.ts";
import { tempDir } from "../support/temp-dir.ts";

const read = (path: string) => Bun.file(join("deploy", path)).text();
const STORES = /^deploy\/(aur|casaos|homebrew|nix|proxmox|truenas|umbrel|unraid|yunohost)\//;
const RUNTIME = { read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] };

/** The port and the volume of the image. */
const containerfile = await Bun.file("scripts/package/Containerfile").text();
const [, PORT = ""] = /^EXPOSE (\d+)$/m.exec(containerfile) ?? [];
const [, VOLUME = ""] = /^VOLUME (.+)$/m.exec(containerfile) ?? [];

test("behavior 24.122: every variable and option of stillup that a store names is one of stillup serve", async () => {
  const program = await createProgram([]);
  const help = program.commands.find((command) => command.name() === "serve")?.helpInformation() ?? "";
  const known = new Set(help.match(/STILLUP_[A-Z_]+/g));
  const named = new Set<string>();
  for (const path of listKit().filter((each) => STORES.test(each)))
    for (const name of (await Bun.file(path).text()).match(/\bSTILLUP_[A-Z_]+/g) ?? []) named.add(name);
  expect(named).toContain("STILLUP_OWNER_EMAIL");
  expect([...named].filter((name) => !known.has(name))).toEqual([]);
});

test.each(["casaos", "umbrel"])(
  "behavior 24.122: the compose file of %s is valid by the schema of the specification",
  async (store) => {
    const ajv = new Ajv({ strict: false });
    addFormats(ajv);
    const schema = await Bun.file("node_modules/dclint/schemas/compose.schema.json").json();
    const validate = ajv.compile({ ...schema, $schema: "http://json-schema.org/draft-07/schema#" });
    validate(parse(await read(`${store}/docker-compose.yml`)));
    expect(validate.errors).toBeNull();
  },
);

describe("Unraid", () => {
  test.skipIf(isMissing(["xmllint"]))(
    "behavior 24.122: the template has the image, its port and its volume",
    async () => {
      const file = "deploy/unraid/stillup.xml";
      const value = async (path: string) =>
        (await $`xmllint --xpath ${`string(${path})`} ${file}`.text()).trim();
      await $`xmllint --noout ${file}`.quiet();
      expect(await value("/Container/@version")).toBe("2");
      expect(await value("/Container/Repository")).toBe(`${IMAGE}:${version}`);
      expect(await value("/Container/WebUI")).toBe(`http://[IP]:[PORT:${PORT}]/`);
      expect(await value("/Container/Config[@Type='Port']/@Target")).toBe(PORT);
      expect(await value("/Container/Config[@Type='Path']/@Target")).toBe(VOLUME);
      // Unraid creates a missing directory for this user.
      expect(await value("/Container/ExtraParams")).toBe(
        "--user=99:100 --read-only --cap-drop=ALL --security-opt=no-new-privileges:true --stop-timeout=30",
      );
      for (const name of [
        "Name",
        "Registry",
        "Network",
        "Support",
        "Project",
        "Overview",
        "Category",
        "Icon",
      ])
        expect([name, await value(`/Container/${name}`)]).toEqual([name, expect.stringMatching(/./)]);
      expect(await value("/Container/Privileged")).toBe("false");
      // A value that nobody changes is the text of its element.
      const configs = (await $`xmllint --xpath ${"//Config"} ${file}`.text()).match(/<Config .*/g) ?? [];
      expect(configs).toHaveLength(5);
      for (const config of configs) {
        const [, initial, text] = / Default="([^"]*)".*>([^<]*)<\/Config>$/.exec(config) ?? [];
        expect(text).toBe(initial);
      }
    },
  );
});

describe("CasaOS", () => {
  test("behavior 24.122: the app has the image, its port and its volume, and each field that the store requires", async () => {
    const app = parse(await read("casaos/docker-compose.yml"));
    const { stillup } = app.services;
    const store = app["x-casaos"];
    expect(stillup).toMatchObject({ ...RUNTIME, image: `${IMAGE}:${version}`, container_name: "stillup" });
    expect(stillup.ports).toEqual([{ target: Number(PORT), published: store.port_map, protocol: "tcp" }]);
    expect(stillup.volumes).toEqual([{ type: "bind", source: "/DATA/AppData/$AppID/data", target: VOLUME }]);
    expect(store).toMatchObject({
      main: "stillup",
      index: "/",
      port_map: PORT,
      category: "Networking",
      version,
    });
    expect(store.id).toMatch(/^[\w-]+(\.[\w-]+)+$/);
    expect(store.architectures).toEqual(["amd64", "arm64"]);
    for (const field of ["title", "tagline", "description"]) expect(store[field].en_US).toBeString();
    for (const field of ["icon", "author", "developer", "website", "repo", "support"])
      expect(store[field]).toBeString();
    // The form describes what it asks for.
    const described = (list: { container: string }[]) => list.map(({ container }) => container);
    expect(described(stillup["x-casaos"].envs)).toEqual(Object.keys(stillup.environment));
    expect(described(stillup["x-casaos"].ports)).toEqual([PORT]);
    expect(described(stillup["x-casaos"].volumes)).toEqual([VOLUME]);
  });
});

describe("Umbrel", () => {
  test("behavior 24.122: the app has the image, its port and its volume, and each field that the store requires", async () => {
    const app = parse(await read("umbrel/umbrel-app.yml"));
    const { app_proxy, server } = parse(await read("umbrel/docker-compose.yml")).services;
    expect(app).toMatchObject({ manifestVersion: 1.1, id: "stillup", category: "networking", version });
    expect(app.tagline).not.toEndWith(".");
    expect(app.tagline.length).toBeLessThanOrEqual(100);
    expect(app.description.length).toBeLessThanOrEqual(5000);
    for (const field of ["website", "repo", "support", "submission"])
      expect(() => new URL(app[field])).not.toThrow();
    // The first submission has none of them.
    expect([app.gallery, app.releaseNotes, app.dependencies]).toEqual([[], "", []]);
    // The proxy of the store finds the service by this name.
    expect(app_proxy.environment).toEqual({
      APP_HOST: `${app.id}_server_1`,
      APP_PORT: Number(PORT),
      PROXY_AUTH_ADD: "false",
    });
    expect(server).toMatchObject({ ...RUNTIME, image: `${IMAGE}:${version}`, user: "1000:1000" });
    expect(server.volumes).toEqual([`\${APP_DATA_DIR}/data:${VOLUME}`]);
    expect(server.environment.STILLUP_BASE_URL).toEndWith(`:${app.port}`);
    // The directory of the volume exists before Docker would create it as root.
    expect(readdirSync("deploy/umbrel/data")).toEqual([".gitkeep"]);
  });

  test("the variables of the app are exported by its script", async () => {
    const exported =
      await $`DEVICE_DOMAIN_NAME=umbrel.local sh -c ${". ./deploy/umbrel/exports.sh; env"}`.text();
    const compose = await read("umbrel/docker-compose.yml");
    const given = /^(?:DEVICE_DOMAIN_NAME|APP_DATA_DIR)$/;
    for (const [, name = ""] of compose.matchAll(/\$\{(\w+)\}/g))
      if (!given.test(name)) expect(exported).toMatch(new RegExp(`^${name}=.+@umbrel\\.local$`, "m"));
  });
});

describe("TrueNAS", () => {
  interface Question {
    variable: string;
    label: string;
    group?: string;
    schema: { type: string; required?: boolean; default?: unknown; attrs?: Question[]; items?: Question[] };
  }

  test("behavior 24.122: the app has each field that the catalog requires, the image and its volume", async () => {
    const app = parse(await read("truenas/app.yaml"));
    const { images, consts } = parse(await read("truenas/ix_values.yaml"));
    for (const field of ["name", "train", "title", "description", "home", "icon"])
      expect([field, typeof app[field]]).toEqual([field, "string"]);
    for (const field of [
      "sources",
      "maintainers",
      "run_as_context",
      "capabilities",
      "host_mounts",
      "categories",
    ])
      expect([field, Array.isArray(app[field])]).toEqual([field, true]);
    expect(app).toMatchObject({ app_version: version, home: HOME, capabilities: [], host_mounts: [] });
    expect(app.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(app.run_as_context[0]).toMatchObject({ uid: 568, gid: 568 });
    expect(images.image).toEqual({ repository: IMAGE, tag: version });
    expect(consts.data_path).toBe(VOLUME);
  });

  test("each question has a group, a type and a name of its own, and the template reads what the form asks for", async () => {
    const { groups, questions } = parse(await read("truenas/questions.yaml"));
    const types = new Set(["dict", "list", "string", "text", "int", "boolean", "uri", "hostpath", "path"]);
    const paths: string[] = [];
    const walk = (list: Question[], parent: string[]) => {
      expect(new Set(list.map(({ variable }) => variable)).size).toBe(list.length);
      for (const { variable, label, schema } of list) {
        expect([variable, typeof label, types.has(schema.type)]).toEqual([variable, "string", true]);
        paths.push([...parent, variable].join("."));
        walk(schema.attrs ?? schema.items ?? [], [...parent, variable]);
      }
    };
    walk(questions, []);
    for (const { group } of questions as Question[])
      expect(groups).toContainEqual(expect.objectContaining({ name: group }));

    const template = await read("truenas/templates/docker-compose.yaml");
    const values = parse(await read("truenas/templates/test_values/basic-values.yaml"));
    for (const [, path = ""] of template.matchAll(/\bvalues\.((?!consts\.)[\w.]+)/g)) {
      expect(paths).toContain(path);
      const example = path.split(".").reduce((value, key) => value?.[key], values);
      expect([path, example]).not.toEqual([path, undefined]);
    }
    expect(template).toContain('set_custom_test(["CMD", "/usr/local/bin/stillup", "health"])');
  });
});

describe("Nix", () => {
  const missing = isMissing(["nix-instantiate"]);
  const evaluate = async () =>
    JSON.parse(
      await $`nix-instantiate --eval --strict --json test/support/kit/flake.nix --arg folder ${resolve("deploy/nix")}`
        .env({ ...Bun.env, NIX_REMOTE: "dummy://" })
        .text(),
    );

  test.skipIf(missing)(
    "behavior 24.122: the flake has the archive of each processor, and uses no other one",
    async () => {
      const { packages, overlay, package: chosen } = await evaluate();
      expect(Object.keys(packages)).toEqual(["aarch64-linux", "x86_64-linux"]);
      const url = (target: string) =>
        `${REPOSITORY}/releases/download/v${version}/stillup-${version}-${target}.tar.gz`;
      expect(packages["x86_64-linux"].default.src.url).toBe(url("linux-x64"));
      expect(packages["aarch64-linux"].default.src.url).toBe(url("linux-arm64"));
      expect(packages["x86_64-linux"].default).toMatchObject({ version, dontStrip: true });
      expect(overlay).toEqual(packages["x86_64-linux"].default);
      expect(chosen).toEqual(packages["x86_64-linux"].default);
    },
  );

  test.skipIf(missing)(
    "behavior 24.122: the module of NixOS changes only what its options say, and nothing while it is off",
    async () => {
      const { off, on, open } = await evaluate();
      expect(off).toEqual({});
      // The package has the unit, so that the module can't lose a restriction.
      expect(on.systemd.packages).toEqual(["stillup"]);
      expect(on.systemd.services.stillup).toEqual({
        wantedBy: ["multi-user.target"],
        environment: { STILLUP_PORT: PORT, STILLUP_OWNER_EMAIL: "" },
        serviceConfig: {},
      });
      expect(on.users.users.stillup).toMatchObject({ isSystemUser: true, group: "stillup" });
      expect(open.networking.firewall.allowedTCPPorts).toEqual([8080]);
      expect(open.systemd.services.stillup).toMatchObject({
        environment: {
          STILLUP_PORT: "8080",
          STILLUP_HOST: "0.0.0.0",
          STILLUP_OWNER_EMAIL: "ana@example.com",
          STILLUP_BASE_URL: "https://up.example.com",
          STILLUP_RETENTION_DAYS: "30",
        },
        serviceConfig: { EnvironmentFile: "/run/secrets/stillup.env" },
      });
    },
  );
});

/** A folder like a release archive, with a small program, which only knows its version. */
async function archiveFolder(parent: string): Promise<string> {
  const folder = join(parent, `stillup-${version}-linux-x64`);
  mkdirSync(folder);
  await Bun.write(join(folder, "stillup"), `#!/bin/sh\necho ${version}\n`);
  chmodSync(join(folder, "stillup"), 0o755);
  for (const kind of ["1", "bash", "zsh", "fish"]) await Bun.write(join(folder, `stillup.${kind}`), kind);
  return folder;
}

describe("Homebrew", () => {
  test.skipIf(isMissing(["ruby"]))(
    "behavior 24.122: the formula installs the files of the archive, and its own test passes",
    async () => {
      using dir = tempDir();
      const prefix = join(dir.path, "prefix");
      const formula = "deploy/homebrew/stillup.rb";
      expect(await $`ruby -wc ${formula}`.text()).toBe("Syntax OK\n");
      const folder = await archiveFolder(dir.path);
      const facts = await $`ruby test/support/kit/formula.rb ${formula} ${folder} ${prefix}`.json();
      const url = (target: string) =>
        `${REPOSITORY}/releases/download/v${version}/stillup-${version}-${target}.tar.gz`;
      expect(facts).toMatchObject({
        homepage: HOME,
        license: "MIT",
        depends_on: "linux",
        architectures: { intel: { url: url("linux-x64") }, arm: { url: url("linux-arm64") } },
        service: {
          run: [join(prefix, "bin/stillup"), "serve"],
          environment: { STILLUP_DATA_DIR: join(prefix, "var/stillup") },
        },
      });
      // The style of Homebrew for a description.
      expect(facts.desc).toMatch(/^[A-Z].{1,78}[^.]$/);
      expect(facts.desc.toLowerCase()).not.toContain("stillup");
      const installed = readdirSync(prefix, { recursive: true, withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      );
      expect(installed.map(({ name }) => name).sort()).toEqual([
        "_stillup",
        "stillup",
        "stillup",
        "stillup.1",
        "stillup.fish",
      ]);
    },
  );
});

describe("Arch Linux", () => {
  test.skipIf(isMissing(["makepkg", "setpriv"], { root: true }))(
    "behavior 24.122: .SRCINFO is that of PKGBUILD",
    async () => {
      using dir = tempDir();
      cpSync("deploy/aur", dir.path, { recursive: true });
      for (const path of ["", ...readdirSync(dir.path)]) chownSync(join(dir.path, path), 65534, 65534);
      // It refuses root.
      const printed = await $`setpriv --reuid=65534 --regid=65534 --clear-groups makepkg --printsrcinfo`
        .cwd(dir.path)
        .env({ ...Bun.env, HOME: dir.path })
        .text();
      expect(printed).toBe(await read("aur/.SRCINFO"));
    },
  );

  test.skipIf(isMissing(["shellcheck"]))("shellcheck finds nothing in the script of pacman", async () => {
    await $`shellcheck --shell=bash deploy/aur/stillup.install`.quiet();
  });
});

describe("YunoHost", () => {
  /** Replaces placeholders as the templates of YunoHost do. */
  const filled = async (path: string, values: Record<string, string>) =>
    (await read(`yunohost/${path}`)).replace(
      /__([A-Z_]+?)__/g,
      (whole, name: string) => values[name] ?? whole,
    );
  const VALUES = {
    APP: "stillup",
    INSTALL_DIR: "/var/www/stillup",
    DATA_DIR: "/home/yunohost.app/stillup",
    DOMAIN: "up.example.com",
    PATH: "",
    PORT,
    MAIL_PWD: "secret",
    OWNER_EMAIL: "ana@example.com",
  };

  test("behavior 24.122: the manifest has each table that the catalog requires, and the archive of each processor", async () => {
    const manifest = Bun.TOML.parse(await read("yunohost/manifest.toml")) as Record<
      string,
      Record<string, unknown>
    >;
    expect(manifest).toMatchObject({
      packaging_format: 2,
      id: "stillup",
      version: expect.stringMatching(/~ynh\d+$/),
    });
    expect(manifest.integration ?? {}).toMatchObject({
      architectures: ["amd64", "arm64"],
      ldap: false,
      sso: false,
    });
    expect(manifest.upstream ?? {}).toMatchObject({ license: "MIT", code: REPOSITORY });
    expect(Object.keys(manifest.install ?? {})).toEqual(["domain", "init_main_permission", "owner_email"]);
    const url = (target: string) =>
      `${REPOSITORY}/releases/download/v${version}/stillup-${version}-${target}.tar.gz`;
    expect(manifest.resources ?? {}).toMatchObject({
      sources: { main: { amd64: { url: url("linux-x64") }, arm64: { url: url("linux-arm64") } } },
      permissions: { main: { url: "/", auth_header: false } },
      ports: { main: { default: Number(PORT) } },
    });
    expect(manifest.description ?? {}).toEqual({ en: expect.stringMatching(/^.{1,150}$/) });
  });

  test("the service has each restriction of our own unit", async () => {
    const directives = (unit: string) => unit.split("\n").filter((line) => /^[A-Z]\w+=/.test(line));
    const own =
      /^(?:Description|ExecStart|Environment|EnvironmentFile|User|Group|StateDirectory\w*|ProtectHome)=/;
    const ours = directives(await Bun.file("scripts/package/stillup.service").text()).filter(
      (line) => !own.test(line),
    );
    const theirs = directives(await filled("conf/systemd.service", VALUES));
    expect(ours.length).toBeGreaterThan(30);
    expect(ours.filter((line) => !theirs.includes(line))).toEqual([]);
    expect(theirs.filter((line) => !ours.includes(line) && !own.test(line))).toEqual([
      "BindPaths=/home/yunohost.app/stillup",
    ]);
    expect(theirs).toContain("ProtectHome=tmpfs");
  });

  test("no placeholder has a name that the scripts do not set", async () => {
    for (const path of readdirSync("deploy/yunohost/conf"))
      expect([path, await filled(`conf/${path}`, VALUES)]).toEqual([
        path,
        expect.not.stringMatching(/__[A-Z_]+__/),
      ]);
  });

  test.skipIf(isMissing(["shellcheck"]))("shellcheck finds nothing in the scripts", async () => {
    const scripts = readdirSync("deploy/yunohost/scripts");
    expect(scripts.sort()).toEqual([
      "_common.sh",
      "backup",
      "change_url",
      "install",
      "remove",
      "restore",
      "upgrade",
    ]);
    // The helpers of YunoHost set variables from the manifest, and read others.
    const options = ["--shell=bash", "--exclude=SC1091,SC2034,SC2154"];
    await $`shellcheck ${options} ${scripts.map((name) => join("deploy/yunohost/scripts", name))}`.quiet();
  });

  test.skipIf(isMissing(["nginx"]))("nginx accepts the configuration", async () => {
    using dir = tempDir();
    const locations = (await filled("conf/nginx.conf", VALUES)).replace(/^#sub_path_only.*$/m, "");
    await Bun.write(
      join(dir.path, "nginx.conf"),
      `pid ${dir.path}/pid;\nerror_log stderr;\nevents {}\nhttp { access_log off; server { listen 127.0.0.1:1; ${locations} } }\n`,
    );
    const { exitCode, stderr } = await $`nginx -t -e stderr -p ${dir.path} -c nginx.conf`.quiet().nothrow();
    expect([exitCode, String(stderr)]).toEqual([0, expect.stringContaining("syntax is ok")]);
  });
});

describe("Proxmox", () => {
  const script = resolve("deploy/proxmox/stillup-lxc");

  test.skipIf(isMissing(["shellcheck"]))("shellcheck finds nothing in the script", async () => {
    await $`shellcheck ${script}`.quiet();
  });

  test("behavior 24.123: it refuses a wrong call, and another machine, before it changes anything", async () => {
    using dir = tempDir();
    const run = (...options: string[]) =>
      $`${script} ${options}`
        .env({ ...Bun.env, PATH: `${dir.path}:/usr/bin:/bin` })
        .quiet()
        .nothrow();
    const said = async (...options: string[]) => {
      const { exitCode, stderr } = await run(...options);
      return [exitCode, String(stderr).split("\n")[0]];
    };
    expect(await said("--colour", "red")).toEqual([2, "stillup-lxc: unknown option --colour"]);
    expect(await said("--id")).toEqual([2, "stillup-lxc: --id requires a value"]);
    expect(await said("--owner-email", "ana@example.com")).toEqual([
      1,
      "stillup-lxc: there is no pct: run this on a host of Proxmox VE",
    ]);
    await Bun.write(join(dir.path, "pct"), "#!/bin/sh\necho called >&2\nexit 1\n");
    chmodSync(join(dir.path, "pct"), 0o755);
    for (const address of ["", "ana", 'a"b@example.com'])
      expect(await said("--owner-email", address)).toEqual([
        2,
        "stillup-lxc: --owner-email requires an e-mail address",
      ]);
    expect(await said("--owner-email", "ana@example.com", "--base-url", "up.example.com")).toEqual([
      2,
      "stillup-lxc: --base-url requires a URL with http:// or https://",
    ]);
    const { stdout } = await run("--help");
    expect(String(stdout)).toStartWith(`usage: ${basename(script)} `);
  });
});
