import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { $ } from "bun";
import { targets } from "../../scripts/package/targets.ts";
import { isMissing } from "../support/requirements.ts";
import { createAuthority } from "../support/servers/certificates.ts";
import { tempDir } from "../support/temp-dir.ts";

const ACCOMPANYING = ["scripts/package/stillup.service", "scripts/package/stillup.sysusers"];

/** A release that is served from this machine, with a shell script as its program, and an empty root directory. */
class Release implements AsyncDisposable {
  readonly #dir = tempDir();
  /** The requested paths. */
  readonly asked: string[] = [];
  readonly root = join(this.#dir.path, "root");
  #server: Bun.Server<undefined> | undefined;

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

  /** Serves the release. @param redirect the URL to which every request is redirected instead */
  serve(options: { redirect?: string; tls?: { cert: string; key: string } } = {}): string {
    this.#server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      ...(options.tls && { tls: options.tls }),
      fetch: ({ url }) => {
        const { pathname } = new URL(url);
        this.asked.push(pathname);
        return options.redirect
          ? Response.redirect(options.redirect + pathname.slice(1))
          : new Response(Bun.file(join(this.#folder, pathname)));
      },
    });
    return this.#server.url.href;
  }

  /** Installs the release into the empty root directory. */
  async install(source: string, { umask = "022", env = {} }: { umask?: string; env?: object } = {}) {
    const script = `umask ${umask}; exec scripts/install.sh --root "$1" "$2"`;
    const ran = await $`sh -c ${script} sh ${this.root} ${source}`
      .env({ ...process.env, ...env })
      .quiet()
      .nothrow();
    return { code: ran.exitCode, stderr: String(ran.stderr) };
  }

  get isInstalled(): boolean {
    return existsSync(join(this.root, "usr/local/bin/stillup"));
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
    // As in an image with systemd, so that the unit and the user are installed too.
    const systemd = join(release.root, "usr/lib/systemd");
    mkdirSync(systemd, { recursive: true });
    symlinkSync("/bin/true", join(systemd, "systemd"));
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
    await using programs = await withoutCurl();
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

/** A PATH with all programs of this machine except curl. */
async function withoutCurl(): Promise<AsyncDisposable & { env: { PATH: string } }> {
  const dir = tempDir();
  await $`ln -s /usr/bin/* ${dir.path} && rm ${dir.path}/curl`.quiet();
  return { env: { PATH: dir.path }, [Symbol.asyncDispose]: async () => dir[Symbol.dispose]() };
}
