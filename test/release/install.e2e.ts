import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { $ } from "bun";
import { publicKey, Signer } from "../../scripts/package/signature.ts";
import { targets } from "../../scripts/package/targets.ts";
import { createKey } from "../support/release/release.ts";
import { isMissing } from "../support/requirements.ts";
import { createAuthority } from "../support/servers/certificates.ts";
import { tempDir } from "../support/temp-dir.ts";

const ACCOMPANYING = ["stillup", "stillup-probe"]
  .flatMap((service) => [`scripts/package/${service}.service`, `scripts/package/${service}.sysusers`])
  .concat("scripts/package/allow-ping");
/** The key of a location, in its form. */
const KEY = `stillup_probe_${"k".repeat(43)}`;
const SERVER = "https://up.example.com";

interface How {
  umask?: string;
  env?: object;
  /** Arguments before the source. */
  args?: string[];
  input?: string;
  script?: string;
}

/** A release that is served from this machine, with a shell script as its program, and an empty root directory. */
class Release implements AsyncDisposable {
  readonly #dir = tempDir();
  /** The requested paths. */
  readonly asked: string[] = [];
  readonly root = join(this.#dir.path, "root");
  #server: Bun.Server<undefined> | undefined;

  /** The public key of `sign`. */
  publicKey = "";

  static async create(versions: string[] = ["1.0.0"]): Promise<Release> {
    const release = new Release();
    mkdirSync(release.root);
    for (const version of versions) await release.#pack(version);
    await $`sha256sum -- *.tar.gz >SHA256SUMS`.cwd(release.#folder).quiet();
    return release;
  }

  get #folder(): string {
    return join(this.#dir.path, "served");
  }

  /** Signs SHA256SUMS with a new key. */
  async sign(): Promise<void> {
    const key = await createKey(this.#dir.path);
    await new Signer(key.secret).sign(join(this.#folder, "SHA256SUMS"), "stillup 1.0.0");
    this.publicKey = key.public;
  }

  /** Changes the signed file. */
  tamper(): void {
    appendFileSync(join(this.#folder, "SHA256SUMS"), "\n");
  }

  /** Serves the release. @param redirect the URL to which every request is redirected instead */
  serve(options: { redirect?: string; tls?: { cert: string; key: string } } = {}): string {
    this.#server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      ...(options.tls && { tls: options.tls }),
      fetch: ({ url }) => {
        const { pathname } = new URL(url);
        this.asked.push(pathname);
        if (options.redirect) return Response.redirect(options.redirect + pathname.slice(1));
        const file = join(this.#folder, pathname);
        return existsSync(file) ? new Response(Bun.file(file)) : new Response("none", { status: 404 });
      },
    });
    return this.#server.url.href;
  }

  /** Installs the release into the root directory, which is empty at first. */
  async install(
    source: string,
    { umask = "022", env = {}, args = [], input = "", script: file = "scripts/install.sh" }: How = {},
  ) {
    const script = `umask ${umask}; exec sh ${file} --root "$@"`;
    const ran = await $`sh -c ${script} sh ${this.root} ${args} ${source} < ${Buffer.from(input)}`
      .env({ ...process.env, ...env })
      .quiet()
      .nothrow();
    return { code: ran.exitCode, stdout: String(ran.stdout), stderr: String(ran.stderr) };
  }

  /** Runs the script on what is installed. */
  async change(...args: string[]) {
    await $`scripts/install.sh --root ${this.root} ${args}`.quiet();
  }

  get isInstalled(): boolean {
    return this.has("usr/local/bin/stillup");
  }

  has(path: string): boolean {
    return existsSync(join(this.root, path));
  }

  /** Turns the root directory into an image with systemd, so that units and users are installed too. */
  addSystemd(): void {
    const systemd = join(this.root, "usr/lib/systemd");
    mkdirSync(systemd, { recursive: true });
    symlinkSync("/bin/true", join(systemd, "systemd"));
  }

  /** Writes a file with the key of a location. @returns its path */
  keyFile(): string {
    const file = join(this.#dir.path, "fra.key");
    writeFileSync(file, `${KEY}\n`);
    return file;
  }

  /** One archive for each target, all with the same content. */
  async #pack(version: string): Promise<void> {
    mkdirSync(this.#folder, { recursive: true });
    for (const target of Object.keys(targets)) {
      const name = `stillup-${version}-${target}`;
      using parent = tempDir();
      const folder = join(parent.path, name);
      mkdirSync(folder);
      writeFileSync(join(folder, "stillup"), `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
      await Bun.write(join(folder, "stillup.env"), "");
      await Bun.write(join(folder, "stillup-probe.env"), "# the server\n#STILLUP_SERVER=\n");
      await $`cp ${ACCOMPANYING} ${folder}`;
      await $`tar -czf ${this.#folder}/${name}.tar.gz --directory ${parent.path} ${name}`;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.stop(true);
    this.#dir[Symbol.dispose]();
  }
}

describe.skipIf(isMissing(["curl", "wget", "sha256sum"], { root: true }))("install.sh with a URL", () => {
  test("installed files are readable by all users, except the settings, whatever the umask of root", async () => {
    await using release = await Release.create();
    release.addSystemd();
    expect(await release.install(release.serve(), { umask: "077" })).toMatchObject({ code: 0 });
    const modeOf = (path: string) => (statSync(join(release.root, path)).mode & 0o777).toString(8);
    expect({
      program: modeOf("usr/local/bin"),
      unit: modeOf("usr/local/lib/systemd/system"),
      user: modeOf("usr/local/lib/sysusers.d"),
      settings: modeOf("etc/stillup"),
      secrets: modeOf("etc/stillup/stillup.env"),
    }).toEqual({ program: "755", unit: "755", user: "755", settings: "755", secrets: "600" });
  });

  test("SHA256SUMS with two versions for this machine is refused", async () => {
    await using release = await Release.create(["1.0.0", "1.0.1"]);
    const { code, stderr } = await release.install(release.serve());
    expect(code).toBe(1);
    expect(stderr).toContain("/SHA256SUMS must have one archive for this machine, linux-");
    expect(stderr).toContain("got 2");
    expect(release.isInstalled).toBe(false);
  });

  test.each([
    "http://127.0.0.2/",
    "http://127.0.0.1.invalid/",
    "http://127.0.0.1@127.0.0.2/",
    "http://127.0.0.1:80@127.0.0.2/",
    "http://localhost.invalid/",
  ])("%s is rejected without a request: plain HTTP is accepted only for this machine", async (url) => {
    await using release = await Release.create();
    const { code, stderr } = await release.install(url);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `install.sh: ${url} must begin with https://: plain HTTP does not prove the origin of a file\n`,
    );
  });

  test("an https URL is accepted, and its redirect to plain HTTP is not followed", async () => {
    await using plain = await Release.create();
    await using release = await Release.create();
    const authority = await createAuthority();
    const { cert, key } = await authority.issue([{ type: "ip", value: "127.0.0.1" }]);
    using dir = tempDir();
    const trusted = { CURL_CA_BUNDLE: join(dir.path, "authority.pem") };
    await Bun.write(trusted.CURL_CA_BUNDLE, authority.cert);

    const redirected = release.serve({ redirect: plain.serve(), tls: { cert, key } });
    const { code, stderr } = await release.install(redirected, { env: trusted });
    expect(code).toBe(1);
    expect(stderr).toContain("SHA256SUMS can't be downloaded");
    expect(release.asked).toEqual(["/SHA256SUMS"]);
    expect(plain.asked).toEqual([]);

    await using honest = await Release.create();
    const url = honest.serve({ tls: { cert, key } });
    expect(await honest.install(url, { env: trusted })).toMatchObject({ code: 0 });
    expect(honest.isInstalled).toBe(true);
  });

  test("with wget and without curl, a redirect is not followed, and everything else is downloaded", async () => {
    await using programs = await without("curl");
    await using plain = await Release.create();
    const url = plain.serve();
    await using release = await Release.create();
    const refused = await release.install(release.serve({ redirect: url }), { env: programs.env });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("a redirect requires curl");
    expect(plain.asked).toEqual([]);

    expect(await plain.install(url, { env: programs.env })).toMatchObject({ code: 0 });
    expect(plain.isInstalled).toBe(true);
  });
});

describe.skipIf(isMissing(["curl", "sha256sum", "minisign"], { root: true }))(
  "install.sh with a public key",
  () => {
    test("behavior 16.198: it installs a release that this key has signed, and says so", async () => {
      await using release = await Release.create();
      await release.sign();
      const { code, stdout } = await release.install(release.serve(), {
        args: ["--public-key", release.publicKey],
      });
      expect(code).toBe(0);
      expect(stdout).toContain("The signature of SHA256SUMS is valid: stillup 1.0.0\n");
      expect(release.asked.slice(0, 2)).toEqual(["/SHA256SUMS", "/SHA256SUMS.minisig"]);
      expect(release.isInstalled).toBe(true);
    });

    test.each(["another key", "a changed file", "no signature"])(
      "behavior 16.198: with %s, it installs nothing",
      async (fault) => {
        await using other = await Release.create();
        await other.sign();
        await using release = await Release.create();
        if (fault !== "no signature") await release.sign();
        if (fault === "a changed file") release.tamper();
        const key = fault === "a changed file" ? release.publicKey : other.publicKey;
        const { code, stderr } = await release.install(release.serve(), { args: ["--public-key", key] });
        expect(code).toBe(1);
        expect(stderr).toMatch(/it is not authentic|SHA256SUMS\.minisig can't be downloaded/);
        expect(release.isInstalled).toBe(false);
        expect(release.asked.filter((path) => path.endsWith(".tar.gz"))).toEqual([]);
      },
    );

    test("behavior 16.198: without minisign, or for a file, a given key is refused", async () => {
      await using release = await Release.create();
      await release.sign();
      const args = ["--public-key", release.publicKey];
      await using programs = await without("minisign");
      const refused = await release.install(release.serve(), { args, env: programs.env });
      expect([refused.code, refused.stderr]).toEqual([1, "install.sh: --public-key requires minisign\n"]);
      const file = await release.install("stillup.tar.gz", { args });
      expect([file.code, file.stderr]).toEqual([2, expect.stringContaining("--public-key requires a URL")]);
      expect(release.isInstalled).toBe(false);
    });

    test("behavior 16.198: a key that the script itself knows is used if minisign is there, else the script says that it is not", async () => {
      await using release = await Release.create();
      await release.sign();
      const url = release.serve();
      using dir = tempDir();
      const script = join(dir.path, "install.sh");
      const own = await Bun.file("scripts/install.sh").text();
      await Bun.write(script, own.replace(/^public_key='.*'$/m, `public_key='${release.publicKey}'`));
      expect((await release.install(url, { script })).stdout).toContain("is valid: stillup 1.0.0\n");
      await using programs = await without("minisign");
      const unverified = await release.install(url, { script, env: programs.env });
      expect([unverified.code, unverified.stdout]).toEqual([
        0,
        expect.stringContaining("because minisign is missing"),
      ]);
      release.tamper();
      expect((await release.install(url, { script })).code).toBe(1);
    });

    test("behavior 16.198: while the script knows no key, it says that the signature is not verified", async () => {
      await using release = await Release.create();
      await release.sign();
      const { code, stdout } = await release.install(release.serve());
      if ((await publicKey()) === undefined) {
        expect([code, stdout]).toEqual([0, expect.stringContaining("SHA256SUMS has no verified signature")]);
        expect(release.asked).not.toContain("/SHA256SUMS.minisig");
      } else expect(code).toBe(1);
    });
  },
);

const UNITS = "usr/local/lib/systemd/system";

describe.skipIf(isMissing(["curl", "sha256sum", "systemd-sysusers"], { root: true }))(
  "install.sh --probe",
  () => {
    test("behavior 13.69: installs only the probe, with a key that root and its group can read, and never prints the key", async () => {
      await using release = await Release.create();
      release.addSystemd();
      const args = ["--probe", "--server", `${SERVER}/`, "--key-file", release.keyFile()];
      const { code, stdout, stderr } = await release.install(release.serve(), { args, umask: "077" });
      expect({ code, stderr }).toMatchObject({ code: 0 });
      expect(stdout + stderr).not.toContain(KEY);

      const key = join(release.root, "etc/stillup/stillup-probe.key");
      const [, group] =
        /^stillup-probe:[^:]*:(\d+):/m.exec(await Bun.file(join(release.root, "etc/group")).text()) ?? [];
      const { mode, uid, gid } = statSync(key);
      expect({ mode: (mode & 0o777).toString(8), uid, gid }).toEqual({
        mode: "640",
        uid: 0,
        gid: Number(group),
      });
      expect(await Bun.file(key).text()).toBe(`${KEY}\n`);
      expect(await Bun.file(join(release.root, "etc/stillup/stillup-probe.env")).text()).toBe(
        `# the server\n#STILLUP_SERVER=\nSTILLUP_SERVER=${SERVER}\n`,
      );
      const enabled = "etc/systemd/system/multi-user.target.wants/stillup-probe.service";
      expect(lstatSync(join(release.root, enabled)).isSymbolicLink()).toBe(true);
      expect(readdirSync(join(release.root, UNITS))).toEqual(["stillup-probe.service"]);
      expect(readdirSync(join(release.root, "etc/stillup")).sort()).toEqual([
        "stillup-probe.env",
        "stillup-probe.key",
      ]);
    });

    test("reads the key from standard input", async () => {
      await using release = await Release.create();
      const args = ["--probe", "--server", SERVER, "--key-file", "-"];
      const { code } = await release.install(release.serve(), { args, input: `${KEY}\r\nmore\n` });
      expect(code).toBe(0);
      expect(await Bun.file(join(release.root, "etc/stillup/stillup-probe.key")).text()).toBe(`${KEY}\n`);
    });

    test("an upgrade without arguments upgrades the probe, keeps its server and its key, and adds no server", async () => {
      await using release = await Release.create();
      release.addSystemd();
      const url = release.serve();
      await release.install(url, { args: ["--probe", "--server", SERVER, "--key-file", release.keyFile()] });
      const { code, stdout } = await release.install(url);
      expect(code).toBe(0);
      expect(stdout).toContain("Upgrading stillup 1.0.0 to 1.0.0");
      expect(readdirSync(join(release.root, UNITS))).toEqual(["stillup-probe.service"]);
      const settings = await Bun.file(join(release.root, "etc/stillup/stillup-probe.env")).text();
      expect(settings).toEndWith(`\nSTILLUP_SERVER=${SERVER}\n`);
      expect(release.has("etc/stillup/stillup-probe.key")).toBe(true);
    });

    test("another server replaces the previous one, and everything else in the settings is kept", async () => {
      await using release = await Release.create();
      const url = release.serve();
      await release.install(url, { args: ["--probe", "--server", SERVER, "--key-file", release.keyFile()] });
      const file = join(release.root, "etc/stillup/stillup-probe.env");
      writeFileSync(file, `${await Bun.file(file).text()}STILLUP_LOG_LEVEL=debug\n`);
      const { code } = await release.install(url, {
        args: ["--probe", "--server", "https://[2001:db8::1]:7070"],
      });
      expect(code).toBe(0);
      expect(await Bun.file(file).text()).toBe(
        "# the server\n#STILLUP_SERVER=\nSTILLUP_LOG_LEVEL=debug\nSTILLUP_SERVER=https://[2001:db8::1]:7070\n",
      );
    });

    test("beside a server, both share the program, and each can be removed alone", async () => {
      await using release = await Release.create();
      release.addSystemd();
      const url = release.serve();
      const probe = ["--probe", "--server", SERVER, "--key-file", release.keyFile()];
      await release.install(url);
      await release.install(url, { args: probe });
      expect(readdirSync(join(release.root, UNITS)).sort()).toEqual([
        "stillup-probe.service",
        "stillup.service",
      ]);

      await release.change("--probe", "--purge");
      expect(readdirSync(join(release.root, UNITS))).toEqual(["stillup.service"]);
      expect(readdirSync(join(release.root, "etc/stillup")).filter((name) => /probe/.test(name))).toEqual([]);
      expect(release.isInstalled).toBe(true);

      await release.install(url, { args: probe });
      await release.change("--uninstall");
      expect(readdirSync(join(release.root, UNITS))).toEqual([]);
      expect(release.isInstalled).toBe(false);
      expect(release.has("etc/stillup/stillup-probe.key")).toBe(true);
      await release.change("--purge");
      expect(release.has("etc/stillup")).toBe(false);
    });

    test.each([
      [[], 2, "--probe requires --server URL"],
      [["--server", SERVER], 2, "--probe requires --key-file FILE"],
      [
        ["--server", "up.example.com", "--key-file", "KEY"],
        2,
        "--server must begin with https:// or http://",
      ],
      [["--server", "https://user:word@host/?a=b", "--key-file", "KEY"], 2, "without a user and a query"],
      [["--server", SERVER, "--key-file", "/no/such/key"], 1, "/no/such/key can't be read"],
      [["--server", SERVER, "--key-file", "/etc/hostname"], 1, "must be the key of a location"],
    ])("with %j it exits with %i, and installs nothing", async (args, expected, message) => {
      await using release = await Release.create();
      const given = args.map((arg) => (arg === "KEY" ? release.keyFile() : arg));
      const { code, stderr } = await release.install(release.serve(), { args: ["--probe", ...given] });
      expect(code).toBe(expected);
      expect(stderr).toContain(message);
      expect(release.isInstalled).toBe(false);
      expect(release.asked).toEqual([]);
    });
  },
);

/** A PATH with all programs of this machine except one. */
async function without(program: string): Promise<AsyncDisposable & { env: { PATH: string } }> {
  const dir = tempDir();
  await $`ln -s /usr/bin/* ${dir.path} && rm ${join(dir.path, program)}`.quiet();
  return { env: { PATH: dir.path }, [Symbol.asyncDispose]: async () => dir[Symbol.dispose]() };
}
