import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { homedir, hostname } from "node:os";
import { join } from "node:path";
import {
  type Flags,
  placeholderVariables,
  readConfig,
  readServiceManager,
  settings,
  UsageError,
} from "../src/config.ts";
import { memoryDir, tempDir } from "./support/temp-dir.ts";

function read(flags: Flags, env: Record<string, string> = {}) {
  return readConfig(flags, { env, isTerminal: false });
}

describe("a setting", () => {
  test("behavior 9.9: has the value of its flag, else of its variable, else its default", () => {
    expect(read({ port: "1" }, { STILLUP_PORT: "2" }).port).toBe(1);
    expect(read({}, { STILLUP_PORT: "2" }).port).toBe(2);
    expect(read({}).port).toBe(7070);
  });

  test("behavior 9.19: with a wrong value is reported with the name of its flag or variable", () => {
    expect(() => read({ port: "70000" })).toThrow(
      new UsageError('--port must be a whole number from 0 to 65535, got "70000"'),
    );
    expect(() => read({}, { STILLUP_PORT: "x" })).toThrow(
      new UsageError('STILLUP_PORT must be a whole number from 0 to 65535, got "x"'),
    );
  });

  test.each([
    ["port", "-1"],
    ["port", ""],
    ["host", "not an address"],
    ["baseUrl", "ftp://example.com"],
    ["baseUrl", "example.com"],
    ["baseUrl", " https://example.com"],
    ["baseUrl", "https://example.com/ "],
    ["baseUrl", "http:example.com"],
    ["baseUrl", "http:/example.com"],
    ["baseUrl", "http://"],
    ["baseUrl", "http:///example.com"],
    ["baseUrl", "https://example.com?"],
    ["baseUrl", "https://example.com/?a=b"],
    ["baseUrl", "https://example.com/#a"],
    ["baseUrl", "https://user:s3cret@example.com"],
    ["baseUrl", "https://example.com:70700"],
    ["baseUrl", "https://example.com/up?"],
    ["baseUrl", "https://example.com/up#"],
    ["networkCheck", "dns.example.com"],
    ["rdapBootstrap", "/no/such/file"],
    ["rdapBootstrap", "."],
    ["rdapBootstrap", "package.json"],
    ["rdapBootstrap", "http://rdap.example.com/dns.json"],
    ["rdapBootstrap", "https://user:s3cret@rdap.example.com/dns.json"],
    ["trustedProxies", ""],
    ["trustedProxies", "127.0.0.1,localhost"],
    ["trustedProxies", "10.0.0.0/33"],
    ["logLevel", "loud"],
    ["logFormat", "xml"],
    ["tlsCert", "/no/such/file"],
    ["dataDir", ""],
    ["smtpUrl", "mail.example.com:587"],
    ["smtpUrl", "http://mail.example.com"],
    ["smtpUrl", "smtp://"],
    ["smtpUrl", "smtp://mail.example.com/?tls.rejectUnauthorized=false"],
    ["smtpUrl", "smtp://user:100%@mail.example.com"],
    ["smtpFrom", "stillup"],
    ["smtpFrom", "stillup <a@example.com>"],
    ["smtpFrom", "a@example.com\r\nBcc: b@example.com"],
    ["pageHosts", "status.example.com"],
    ["pageIcon", "/no/such/file"],
    ["pageIcon", "."],
    ["pageIcon", "package.json"],
    ["oidcIssuer", "http://idp.example.com"],
    ["oidcClientId", "a\nb"],
    ["oidcClientSecretFile", "/no/such/file"],
    ["oidcClientSecretFile", "."],
    ["oidcClientSecretFile", "package.json"],
    ["smtpPasswordFile", "/no/such/file"],
    ["databasePasswordFile", "."],
    ["databasePasswordFile", "package.json"],
    ["oidcScopes", "email"],
    ["oidcScopes", ""],
    ["oidcRoleClaim", "a b"],
    ["oidcRoles", "ops=root"],
    ["oidcOrg", "a b"],
    ["oidcOnly", "yes"],
    ["oidcOnly", "constructor"],
  ] as const)("%s %p is refused", (name, value) => {
    expect(() => read({ [name]: value })).toThrow(UsageError);
    expect(() => read({}, { [settings[name].variable]: value })).toThrow(UsageError);
  });
});

test("behavior 9.11: a base URL loses a trailing slash", () => {
  expect(read({ baseUrl: "https://up.example.com/" }).baseUrl).toBe("https://up.example.com");
  expect(read({ baseUrl: "https://example.com/up//" }).baseUrl).toBe("https://example.com/up");
});

test.each([
  ...[
    "/a/../b",
    "/..",
    "/a/.",
    "/./a",
    "/%2e%2e/a",
    "/a%2fb",
    "/a%20b",
    "/a\\b",
    "/a//b",
    "//a",
    "/a;b",
    "/a,b",
    '/a"b',
    "/ä",
  ],
])("behavior 26.163: a base URL with the path %s is refused with the form of a valid path", (path) => {
  expect(() => read({ baseUrl: `https://example.com${path}` })).toThrow(
    "--base-url must be a URL that begins with http:// or https://, without a user, a query or a fragment, and whose path has only letters, digits and -._~ between its slashes",
  );
});

test("behavior 26.163: a base URL may have a path of several parts", () => {
  for (const path of ["/status", "/Team-1/up_time~2/v1.2", "/...", "/.well-known"])
    expect(read({ baseUrl: `https://example.com${path}/` }).baseUrl).toBe(`https://example.com${path}`);
});

test("a base URL is stored in the form that browsers write", () => {
  expect(read({ baseUrl: "HTTPS://Up.Example.com:443/A-b" }).baseUrl).toBe("https://up.example.com/A-b");
  expect(read({ baseUrl: "http://127.0.0.1:7070" }).baseUrl).toBe("http://127.0.0.1:7070");
});

test("behavior 9.12: a certificate without its key is refused", () => {
  expect(() => read({ tlsCert: "package.json" })).toThrow("--tls-key is missing");
});

test("behavior 9.12: a mail server requires a sender, and a sender a mail server", () => {
  const smtpUrl = "smtps://user:p%40ss@mail.example.com:465";
  const smtpFrom = "stillup@example.com";
  expect(read({ smtpUrl, smtpFrom }).smtp).toEqual({ url: new URL(smtpUrl), from: smtpFrom });
  expect(read({}).smtp).toBeUndefined();
  expect(() => read({ smtpUrl })).toThrow("--smtp-from is missing");
  expect(() => read({ smtpFrom })).toThrow("--smtp-url is missing");
});

test.each([
  ["STILLUP_SMTP_URL", "smtp:/u:s3cret@host"],
  ["STILLUP_BASE_URL", "https://u:s3cret@host"],
  ["STILLUP_DATABASE_URL", "mysql://u:s3cret@host/db"],
])("behavior 9.20: a wrong %s is not repeated, because it may contain a password", (variable, value) => {
  const expected = new RegExp(`^${variable} must be (?!.*s3cret)`);
  expect(() => read({}, { [variable]: value })).toThrow(expected);
});

test("behavior 12.1: an empty database URL counts as not given, also as a flag", () => {
  const STILLUP_DATABASE_URL = "postgresql://u@h/d";
  expect(read({}, { STILLUP_DATABASE_URL }).databaseUrl).toBe(STILLUP_DATABASE_URL);
  expect(read({}, { STILLUP_DATABASE_URL: "" }).databaseUrl).toBeUndefined();
  expect(read({ databaseUrl: "" }, { STILLUP_DATABASE_URL }).databaseUrl).toBeUndefined();
});

test("behavior 12.2: a database password comes from PGPASSWORD and PGPASSFILE", () => {
  expect(read({}, { PGPASSWORD: "a", PGPASSFILE: "/b" }).databasePassword).toEqual({
    password: "a",
    file: "/b",
  });
  expect(read({}, { PGPASSWORD: "" }).databasePassword).toEqual({ file: join(homedir(), ".pgpass") });
});

/** Files like the credentials of a service of systemd: in memory, and only its user can read them. */
function credentials(secrets: Record<string, string>) {
  const dir = tempDir(memoryDir());
  for (const [name, text] of Object.entries(secrets))
    writeFileSync(join(dir.path, name), text, { mode: 0o400 });
  return dir;
}

test("behavior 9.150: the password of a mail server comes from a file, in which no character is special", () => {
  const secret = "p@ss/w:o%rd ü";
  using dir = credentials({ "smtp-password": `${secret}\n` });
  const smtpPasswordFile = join(dir.path, "smtp-password");
  const smtpFrom = "stillup@example.com";
  const { smtp } = read({ smtpUrl: "smtps://user%40x@mail.example.com:465", smtpFrom, smtpPasswordFile });
  expect(decodeURIComponent(smtp?.url.password ?? "")).toBe(secret);
  expect(smtp?.url.username).toBe("user%40x");
  expect(() => read({ smtpUrl: "smtp://u:s3cret@h", smtpFrom, smtpPasswordFile })).toThrow(
    new UsageError("--smtp-url must be without a password, because --smtp-password-file has it"),
  );
  expect(() => read({ smtpUrl: "smtp://h", smtpFrom, smtpPasswordFile })).toThrow(
    /--smtp-url must have the user whose password is in --smtp-password-file/,
  );
  expect(() => read({ smtpPasswordFile })).toThrow("--smtp-url is missing");
});

test("behavior 9.150: a file of secrets must have one line, which no message repeats", () => {
  for (const text of ["", "\n", "s3cret\nb", "s3cret\0"]) {
    using dir = credentials({ secret: text });
    for (const name of ["databasePasswordFile", "smtpPasswordFile", "oidcClientSecretFile"] as const) {
      const { flag } = settings[name];
      expect(() => read({ [name]: join(dir.path, "secret") })).toThrow(
        new RegExp(`^${flag} must be the path of a file with a secret of one line(?!.*s3cret)`),
      );
    }
  }
});

test("behavior 9.151: the password of a database comes from a file, but not also from its URL", () => {
  using dir = credentials({ password: "a" });
  const secretFile = join(dir.path, "password");
  const databaseUrl = "postgresql://u@h/d";
  const env = { STILLUP_DATABASE_PASSWORD_FILE: secretFile, PGPASSWORD: "b", PGPASSFILE: "/c" };
  expect(read({ databaseUrl }, env).databasePassword).toEqual({ secretFile, password: "b", file: "/c" });
  expect(() => read({ databaseUrl: "postgresql://u:s3cret@h/d" }, env)).toThrow(
    new UsageError("--database-url must be without a password, because --database-password-file has it"),
  );
});

test("behavior 16.60: placeholders are also credentials of systemd, after the variables of the environment", () => {
  using dir = credentials({ SHOP_KEY: "a\nb\n", PATH_KEY: "c", "smtp-password": "d" });
  const env = { CREDENTIALS_DIRECTORY: dir.path, PATH_KEY: "of the environment" };
  expect(placeholderVariables(env)).toEqual({ ...env, SHOP_KEY: "a\nb" });
  expect(placeholderVariables({ CREDENTIALS_DIRECTORY: "/no/such/directory" })).toEqual({
    CREDENTIALS_DIRECTORY: "/no/such/directory",
  });
  expect(placeholderVariables({ A: "b" })).toEqual({ A: "b" });
});

test("behavior 12.8: a node has the name of the host if it is given no other", () => {
  expect(read({ nodeName: "a-1" }).nodeName).toBe("a-1");
  expect(read({}, { STILLUP_NODE_NAME: "" }).nodeName).toBe(hostname());
  expect(() => read({ nodeName: "a b" })).toThrow(UsageError);
});

test("behavior 15.36: hosts of pages are none by default, and other hosts than that of the base URL", () => {
  expect(read({}).pageHosts).toEqual(new Map());
  expect(read({ pageHosts: "" }).pageHosts).toEqual(new Map());
  const pageHosts = "a.example.com=a,b.example.com=b";
  expect(read({ pageHosts }).pageHosts).toEqual(
    new Map([
      ["a.example.com", "a"],
      ["b.example.com", "b"],
    ]),
  );
  expect(() => read({ pageHosts, baseUrl: "https://b.example.com:8443/up" })).toThrow(
    new UsageError("--page-hosts must be hosts other than that of --base-url, got b.example.com"),
  );
});

test("behavior 15.37: the icon of the pages is read at the start", () => {
  using dir = tempDir();
  const file = join(dir.path, "icon");
  writeFileSync(file, "<svg></svg>");
  expect(read({ pageIcon: file }).pageIcon?.type).toBe("image/svg+xml");
  expect(read({ pageIcon: "" }).pageIcon).toBeUndefined();
  writeFileSync(file, `<svg>${" ".repeat(64_000)}</svg>`);
  expect(() => read({ pageIcon: file })).toThrow(UsageError);
});

describe("behavior 19.60: a provider for sign-in", () => {
  const provider = { oidcIssuer: "https://idp.example.com", oidcClientId: "stillup" };

  test("is none by default, also with empty variables", () => {
    expect(read({}).oidc).toBeUndefined();
    expect(
      read({}, { STILLUP_OIDC_ISSUER: "", STILLUP_OIDC_CLIENT_ID: "", STILLUP_OIDC_ONLY: "" }).oidc,
    ).toBeUndefined();
    expect(read({}, { STILLUP_OIDC_ONLY: "false" }).oidc).toBeUndefined();
  });

  test("has an issuer, a client, and what else is given", () => {
    using dir = tempDir();
    const oidcClientSecretFile = join(dir.path, "secret");
    writeFileSync(oidcClientSecretFile, "s3cret\n");
    expect(read(provider).oidc).toEqual({
      ...{ issuer: "https://idp.example.com", clientId: "stillup", clientSecret: undefined },
      ...{ scopes: "openid email profile", roles: undefined, organizationId: undefined, isOnly: false },
    });
    const roles = { oidcRoleClaim: "groups", oidcRoles: "ops=admin", oidcOrg: "abc", oidcOnly: "true" };
    expect(read({ ...provider, ...roles, oidcClientSecretFile, oidcScopes: "openid groups" }).oidc).toEqual({
      ...{ issuer: "https://idp.example.com", clientId: "stillup", clientSecret: "s3cret" },
      ...{ scopes: "openid groups", roles: { claim: "groups", roles: new Map([["ops", "admin"]]) } },
      ...{ organizationId: "abc", isOnly: true },
    });
  });

  test.each([
    [{ oidcClientId: "stillup" }, "--oidc-issuer is missing"],
    [{ oidcOnly: "true" }, "--oidc-issuer is missing"],
    [{ oidcOrg: "abc" }, "--oidc-issuer is missing"],
    [{ oidcRoleClaim: "groups", oidcRoles: "ops=admin" }, "--oidc-issuer is missing"],
    [{ oidcIssuer: "https://idp.example.com" }, "--oidc-client-id is missing"],
    [{ ...provider, oidcRoleClaim: "groups" }, "--oidc-roles is missing"],
    [{ ...provider, oidcRoles: "ops=admin" }, "--oidc-role-claim is missing"],
  ])("with %j alone is refused", (flags, message) => {
    expect(() => read(flags)).toThrow(message);
  });

  test("whose secret is no line of a file is refused without repeating it", () => {
    using dir = tempDir();
    const file = join(dir.path, "secret");
    for (const text of ["", "\n", "s3cret\ns3cret"]) {
      writeFileSync(file, text);
      expect(() => read({ ...provider, oidcClientSecretFile: file })).toThrow(
        `--oidc-client-secret-file must be the path of a file with a secret of one line, got "${file}"`,
      );
    }
  });
});

test("logs are pretty on a terminal and JSON elsewhere", () => {
  expect(readConfig({}, { env: {}, isTerminal: true }).logFormat).toBe("pretty");
  expect(readConfig({}, { env: {}, isTerminal: false }).logFormat).toBe("json");
});

test("systemd is notified if it asks for notifications, and its watchdog if it watches this process", () => {
  const NOTIFY_SOCKET = "/run/systemd/notify";
  expect(readServiceManager({}, 7)).toBeUndefined();
  expect(readServiceManager({ NOTIFY_SOCKET }, 7)).toEqual({});
  expect(readServiceManager({ NOTIFY_SOCKET, WATCHDOG_USEC: "60000000" }, 7)).toEqual({ watchdogMs: 60_000 });
  const watched = { NOTIFY_SOCKET, WATCHDOG_USEC: "60000000", WATCHDOG_PID: "7" };
  expect(readServiceManager(watched, 7)).toEqual({ watchdogMs: 60_000 });
  expect(readServiceManager(watched, 8)).toEqual({});
});
