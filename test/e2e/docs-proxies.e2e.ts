import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readPage } from "../support/documentation/page.ts";
import { Background } from "../support/documentation/shell.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { Binary } from "../support/product/binary.ts";
import { createPage, PAGES } from "../support/requests/pages.ts";
import { createAuthority } from "../support/servers/certificates.ts";
import { PROXY_ENV, runCaddy, runNginx } from "../support/servers/reverse-proxies.ts";
import { type TempDir, tempDir } from "../support/temp-dir.ts";

const PAGE = "docs/reverse-proxy.md";
const HOST = "up.example.com";
/** The host of a status page. */
const PAGE_HOST = "status.example.com";
/** The host that stillup shares with another site. */
const SHARED_HOST = "www.example.com";
const env = PROXY_ENV;

const { blocks, code } = await readPage(PAGE);
const own = blocks.filter(({ mark }) => mark === "tested by test/e2e/docs-proxies.e2e.ts");
const allShown = (language: string) =>
  own.filter((block) => block.language === language).map(({ text }) => text);
const shown = (language: string) => allShown(language)[0] ?? "";
const [behindProxy = "", withPage = "", belowPath = "", look = "", alone = ""] = own
  .filter(({ language }) => language === "sh")
  .map(({ text }) => text);

interface Proxy {
  process: Background;
  port: number;
  /** The file of the authority of its certificate. */
  authority: string;
}

/** @property config of the documentation page @property upstream host and port of stillup */
interface Setup {
  config: string;
  upstream: string;
}

/** A Caddyfile of the page, after options for other ports and Caddy's own authority. */
async function startCaddy(folder: TempDir, { config, upstream }: Setup): Promise<Proxy> {
  const [port, plain] = [freePort(), freePort()];
  const options = `http_port ${plain}\n\thttps_port ${port}\n\tlocal_certs`;
  const process = runCaddy(folder, options, config.replace("127.0.0.1:7070", upstream));
  return { process, port, authority: join(folder.path, "pki/authorities/local/root.crt") };
}

/** The server blocks of the page, with other ports and certificate files. */
async function startNginx(folder: TempDir, { config, upstream }: Setup): Promise<Proxy> {
  const [port, plain] = [freePort(), freePort()];
  const live = join(folder.path, "live");
  const authority = await issueTo(live);
  const servers = config
    .replaceAll("127.0.0.1:7070", upstream)
    .replace("listen 80;", `listen 127.0.0.1:${plain};`)
    .replaceAll("listen 443 ssl;", `listen 127.0.0.1:${port} ssl;`)
    .replace("/var/cache", folder.path)
    .replaceAll("/etc/letsencrypt/live", live);
  const process = runNginx(folder, servers);
  return { process, port, authority };
}

const proxies = {
  caddy: { start: startCaddy, language: "caddyfile" },
  nginx: { start: startNginx, language: "nginx" },
};

for (const [name, { start, language }] of Object.entries(proxies)) {
  const installed = Bun.which(name, { PATH: env.PATH });
  const title = `${name}, as the page sets it up, lets everything through: page, sign-in, checkins and the live stream`;
  test.skipIf(!installed)(
    installed ? title : `${title}: NOT RUN, for ${name} is missing`,
    async () => {
      using folder = tempDir();
      await using binary = new Binary();
      const server = await binary.serve(flagsOf(behindProxy));
      const proxy = await start(folder, { config: shown(language), upstream: new URL(server.url).host });
      await using _ = proxy.process;
      const way = ["--resolve", `${HOST}:${proxy.port}:127.0.0.1`, "--cacert", proxy.authority];
      const here = `https://${HOST}:${proxy.port}`;
      const curl = async (...args: string[]) => {
        const child = Bun.spawn(["curl", "-sS", ...way, ...args], { stderr: "pipe" });
        return `${await new Response(child.stdout).text()}${await new Response(child.stderr).text()}`;
      };
      await eventually(async () => (await curl(`${here}/`)).includes("<html")).catch((error) => {
        throw new Error(`${error.message}: ${proxy.process.printed}`);
      });

      const key = (await Bun.file(join(binary.folder, "data/initial-owner-key")).text()).trim();
      const post = (path: string, body: object, ...headers: string[]) =>
        curl(
          "-i",
          `${here}${path}`,
          "-d",
          JSON.stringify(body),
          ...headers.flatMap((header) => ["-H", header]),
        );

      // The headers of a browser, which knows only the proxy.
      const signedIn = await post("/api/v1/session", { key }, `Origin: https://${HOST}`);
      const [, cookie = ""] = /^set-cookie: (__Host-stillup_session=[^;]+)/im.exec(signedIn) ?? [];
      expect(signedIn).toMatch(/; secure/i);
      expect(await post("/api/v1/session", { key }, "Origin: https://evil.example")).toContain(" 403");

      const commands = look.replaceAll(`https://${HOST}`, here).replaceAll("curl ", `curl ${way.join(" ")} `);
      await using stream = new Background(`key=${key}\n${commands}`, { cwd: folder.path, env });
      await eventually(() => stream.printed.includes("event: pulse"));

      const monitor = { name: "job", type: "SCHEDULED", config: {} };
      const created = await post("/api/v1/monitors", monitor, `Cookie: ${cookie}`, `Origin: https://${HOST}`);
      const [, checkinUrl = ""] = /"checkinUrl":"([^"]+)"/.exec(created) ?? [];
      expect(checkinUrl).toStartWith(`https://${HOST}/api/v1/monitors/`);
      expect(await curl(checkinUrl.replace(`https://${HOST}`, here))).toContain('{"recorded":"ok"');

      await eventually(() => /event: change\ndata: \{.*"results":true/.test(stream.printed));
      await stream.ended;
      const pulses = stream.printed.replaceAll(/event: change\ndata: .*\n\n/g, "");
      expect(pulses.trim()).toBe(shown("text").trim());
    },
    300_000,
  );
}

for (const [name, { start, language }] of Object.entries(proxies)) {
  const installed = Bun.which(name, { PATH: env.PATH });
  const title = `behavior 15.36, 21.38: ${name}, as the page sets it up, shows a status page at the root of a host of its own, and keeps nothing that needs a password`;
  test.skipIf(!installed)(
    installed ? title : `${title}: NOT RUN, because ${name} is missing`,
    async () => {
      using folder = tempDir();
      await using binary = new Binary();
      const server = await binary.serve(flagsOf(withPage));
      const client = await server.client();
      const { id } = await createPage(client, { slug: "shop", title: "Shop status", visibility: "public" });
      const config =
        language === "nginx" ? allShown(language).slice(0, 2).join("\n") : (allShown(language)[1] ?? "");
      const proxy = await start(folder, { config, upstream: new URL(server.url).host });
      await using _ = proxy.process;
      const read = async (host: string, path: string, ...options: string[]) => {
        const way = ["--resolve", `${host}:${proxy.port}:127.0.0.1`, "--cacert", proxy.authority];
        const child = Bun.spawn(["curl", "-s", ...way, ...options, `https://${host}:${proxy.port}${path}`]);
        return await new Response(child.stdout).text();
      };
      await eventually(async () => (await read(PAGE_HOST, "/")).includes("Shop status")).catch((error) => {
        throw new Error(`${error.message}: ${proxy.process.printed}`);
      });
      for (const [host, path] of [
        [PAGE_HOST, "/api/v2/status.json"],
        [HOST, "/status/shop/api/v2/status.json"],
      ] as const)
        expect(JSON.parse(await read(host, path)).page.url).toBe(`https://${PAGE_HOST}`);
      expect(await read(HOST, "/")).not.toContain("Shop status");

      const changes = { visibility: "password", password: "open sesame" };
      await client.patch(`${PAGES}/${id}`, changes);
      await eventually(async () => (await fetch(`${server.url}/status/shop`)).status === 401);
      // The proxy has not seen this path before.
      const feed = (...options: string[]) => read(PAGE_HOST, "/feed.atom", ...options);
      expect(await feed("--user", `reader:${changes.password}`)).toContain("<feed");
      expect(await feed()).toContain("Unauthorized");

      await server.kill();
      if (name === "nginx") expect(await read(PAGE_HOST, "/")).toContain("Shop status");
      expect(await feed()).not.toContain("<feed");
    },
    300_000,
  );
}

for (const [name, { start, language }] of Object.entries(proxies)) {
  const installed = Bun.which(name, { PATH: env.PATH });
  const title = `behavior 26.160, 26.164: ${name}, as the page sets it up, has stillup below a path of another site: page, session, API, checkins, stream, status page`;
  test.skipIf(!installed)(
    installed ? title : `${title}: NOT RUN, because ${name} is missing`,
    async () => {
      using folder = tempDir();
      await using binary = new Binary();
      const server = await binary.serve(flagsOf(belowPath));
      const client = await server.client();
      await createPage(client, { slug: "shop", title: "Shop status", visibility: "public" });
      writeFileSync(join(folder.path, "index.html"), "the other site");
      const config = (allShown(language)[2] ?? "").replace("/srv/www", folder.path);
      const proxy = await start(folder, { config, upstream: new URL(server.url).host });
      await using _ = proxy.process;
      const here = `https://${SHARED_HOST}:${proxy.port}`;
      const curl = async (path: string, ...options: string[]) => {
        const way = ["--resolve", `${SHARED_HOST}:${proxy.port}:127.0.0.1`, "--cacert", proxy.authority];
        return await new Response(Bun.spawn(["curl", "-s", ...way, ...options, here + path]).stdout).text();
      };
      await eventually(async () => (await curl("/status/")).includes("<html")).catch((error) => {
        throw new Error(`${error.message}: ${proxy.process.printed}`);
      });
      expect(await curl("/")).toBe("the other site");
      expect(await curl("/healthz")).not.toContain("status");
      expect(await curl("/status", "-i")).toMatch(/^HTTP\S* 30\d[\s\S]*location: \S*\/status\/\r/i);

      const signIn = [
        "-i",
        "-H",
        `Origin: https://${SHARED_HOST}`,
        "-d",
        JSON.stringify({ key: client.key }),
      ];
      const signedIn = await curl("/status/api/v1/session", ...signIn);
      const [, cookie = ""] =
        /^set-cookie: (__Secure-stillup_session=[^;]+); Path=\/status;/im.exec(signedIn) ?? [];
      const created = await curl(
        ...["/status/api/v1/monitors", "-b", cookie, "-H", `Origin: https://${SHARED_HOST}`],
        ...["-d", JSON.stringify({ name: "job", type: "SCHEDULED", config: {} })],
      );
      const { checkinUrl } = JSON.parse(created).data;
      expect(checkinUrl).toStartWith(`https://${SHARED_HOST}/status/api/v1/monitors/`);
      const stream = curl("/status/api/v1/stream", "-N", "-m", "6", "-b", cookie);
      expect(await curl(new URL(checkinUrl).pathname)).toContain('{"recorded":"ok"');
      expect(await curl("/status/status/shop")).toContain("Shop status");
      expect(await stream).toContain("event: pulse");
    },
    300_000,
  );
}

/** A configuration of the page with a password, and with the line that the page shows for it. */
const withPassword = {
  async caddy(config: string, line: string) {
    const hash = await Bun.password.hash("of the proxy", { algorithm: "bcrypt", cost: 4 });
    const [upstream = ""] = /reverse_proxy .*/.exec(config) ?? [];
    return config.replace(upstream, `basicauth {\n reader ${hash}\n }\n ${upstream} {\n ${line}\n }`);
  },
  async nginx(config: string, line: string, { path }: TempDir) {
    writeFileSync(join(path, "users"), "reader:{PLAIN}of the proxy\n");
    const asks = `auth_basic here; auth_basic_user_file ${path}/users; ${line}`;
    return config.replace("location / {", `location / {\n${asks}`);
  },
};

for (const [name, line] of [
  ["caddy", "header_up -Authorization"],
  ["nginx", 'proxy_set_header Authorization "";'],
] as const) {
  const installed = Bun.which(name, { PATH: env.PATH });
  const title = `${name} with a password of its own, as the page sets it up, disturbs neither sessions nor the passwords of status pages`;
  test.skipIf(!installed)(
    installed ? title : `${title}: NOT RUN, because ${name} is missing`,
    async () => {
      expect(code).toContain(line);
      using folder = tempDir();
      await using binary = new Binary();
      const server = await binary.serve(flagsOf(behindProxy));
      const client = await server.client();
      await createPage(client, { slug: "shop", visibility: "password", password: "open sesame" });
      const { start, language } = proxies[name];
      const config = await withPassword[name](shown(language), line, folder);
      const proxy = await start(folder, { config, upstream: new URL(server.url).host });
      await using _ = proxy.process;
      const way = ["--resolve", `${HOST}:${proxy.port}:127.0.0.1`, "--cacert", proxy.authority];
      const send = async (path: string, ...options: string[]) => {
        const sent = [...way, ...options, `https://${HOST}:${proxy.port}${path}`];
        return await new Response(Bun.spawn(["curl", "-si", ...sent]).stdout).text();
      };
      const known = (path: string, ...options: string[]) =>
        send(path, "--user", "reader:of the proxy", ...options);
      await eventually(async () => (await known("/")).includes("<html")).catch((error) => {
        throw new Error(`${error.message}: ${proxy.process.printed}`);
      });
      expect(await send("/")).toMatch(/^HTTP\S* 401/);

      const signedIn = await known("/api/v1/session", "--data", JSON.stringify({ key: client.key }));
      const [, cookie = ""] = /^set-cookie: ([\w-]+=[^;]+)/im.exec(signedIn) ?? [];
      expect(await known("/api/v1/monitors", "--cookie", cookie)).toContain('{"data":[');
      for (let read = 0; read < 11; read++)
        expect(await known("/status/shop")).toContain("the page needs its password");
      expect(await known("/status/shop/unlock", "--data", "password=open sesame")).toMatch(/^HTTP\S* 303/);
    },
    300_000,
  );
}

test("without a proxy, stillup serves HTTPS as the page says", async () => {
  using folder = tempDir();
  await using binary = new Binary();
  const live = join(folder.path, "live");
  const authority = await issueTo(live);
  const port = freePort();
  const line = alone
    .replace("--host 0.0.0.0 --port 443", `--port ${port}`)
    .replaceAll("/etc/letsencrypt/live", live)
    .replace(/^stillup/, "exec ./stillup");
  await using server = new Background(line, { cwd: binary.folder, env });
  await eventually(() => server.printed.includes(`listening on https://127.0.0.1:${port}`));
  const way = ["-fsS", "--resolve", `${HOST}:${port}:127.0.0.1`, "--cacert", authority];
  const child = Bun.spawn(["curl", ...way, `https://${HOST}:${port}/docs/json`]);
  expect(await new Response(child.stdout).json()).toMatchObject({ openapi: "3.1.0" });
});

/** Creates the files of certbot. @returns the file of the authority */
async function issueTo(live: string): Promise<string> {
  const authority = await createAuthority();
  for (const host of [HOST, PAGE_HOST, SHARED_HOST]) {
    const { cert, key } = await authority.issue([{ type: "dns", value: host }]);
    mkdirSync(join(live, host), { recursive: true });
    writeFileSync(join(live, host, "fullchain.pem"), cert);
    writeFileSync(join(live, host, "privkey.pem"), key);
  }
  writeFileSync(join(live, "authority.pem"), authority.cert);
  return join(live, "authority.pem");
}

function flagsOf(command: string): string[] {
  const [, flags = ""] = /^stillup serve (.*)\n$/.exec(command) ?? [];
  return flags.split(" ");
}
