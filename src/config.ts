import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { SmtpConfig } from "./alerts/post.ts";
import { DISCOVER_FORM, parseDiscover } from "./domain/discovery/flag.ts";
import type { DiscoverSettings } from "./domain/discovery/settings.ts";
import { type AddressRanges, parseAddressRanges } from "./domain/network/client-address.ts";
import { DATABASE_URL_FORM, parseDatabaseUrl, parseNetworkChecks } from "./domain/network/database-url.ts";
import { parseDnsServers } from "./domain/network/dns-server.ts";
import { isSecureUrl } from "./domain/network/local-request.ts";
import {
  asPageIcon,
  MAX_ICON,
  type PageHosts,
  type PageIcon,
  parsePageHosts,
} from "./domain/pages/page-look.ts";
import { isEmail, MAX_EMAIL } from "./domain/people/email-address.ts";
import {
  type OidcSettings,
  parseIssuer,
  parseRoleMapping,
  parseScopes,
  type RoleMapping,
} from "./domain/people/oidc-roles.ts";
import { parseRdapServers, type RdapSource } from "./domain/registration/rdap-servers.ts";
import { AppError } from "./errors.ts";
import { homeDirectory } from "./home-directory.ts";
import { isTerminal, LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from "./log.ts";
import { PRIVATE_TARGETS, type ProbeSettings } from "./probes/probe-thread.ts";
import { readSecret } from "./secret-file.ts";

/** A wrong setting or command line: the process ends with code 2 and this message as one line (behavior 9.19). */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

interface Setting {
  flag: string;
  variable: string;
  /** Placeholder of the value after the flag, in the help; empty for a flag without a value. */
  value: string;
  default?: string;
  help: string;
  /** The accepted values. Completes the sentence "--flag must be …". */
  expected: string;
  /** @returns the value, or undefined if the text is not accepted @throws AppError with the reason */
  parse: (text: string) => unknown;
  /** An empty text counts as not given. */
  mayBeEmpty?: true;
  /** The value may contain a password, so an error message does not repeat it (behavior 9.20). */
  secret?: true;
}

const files = { value: "FILE", expected: "the path of a file that exists", parse: path };

const secretFile = {
  value: "FILE",
  expected: "the path of a file with a secret of one line",
  parse: (text: string) => accept(readSecret(text) !== undefined, text),
  mayBeEmpty: true,
} as const;

/** Every setting (behavior 9.9). The command line, the environment variables, the help and docs/settings.md follow this table. */
export const settings = {
  dataDir: {
    flag: "--data-dir",
    variable: "STILLUP_DATA_DIR",
    value: "DIR",
    default: "./data",
    help: "directory of the embedded database; serve and probe create it if it is missing",
    expected: "the path of a directory",
    parse: (text: string) => accept(text !== "", text),
  },
  databaseUrl: {
    flag: "--database-url",
    variable: "STILLUP_DATABASE_URL",
    value: "URL",
    help: "PostgreSQL database, for several nodes, as postgresql://user@host/database; default: the embedded database in --data-dir",
    expected: DATABASE_URL_FORM,
    parse: (text: string) => accept(parseDatabaseUrl(text) !== undefined, text),
    mayBeEmpty: true,
    secret: true,
  },
  databasePasswordFile: {
    flag: "--database-password-file",
    variable: "STILLUP_DATABASE_PASSWORD_FILE",
    help: "file with the password of the user in --database-url, read for each connection; default: as the tools of PostgreSQL",
    ...secretFile,
  },
  nodeName: {
    flag: "--node-name",
    variable: "STILLUP_NODE_NAME",
    value: "NAME",
    help: "name of this server among the nodes of a database; default: the host name",
    expected: "1 to 100 letters, digits and the characters . _ -",
    parse: (text: string) => accept(/^[\w.-]{1,100}$/.test(text), text),
    mayBeEmpty: true,
  },
  host: {
    flag: "--host",
    variable: "STILLUP_HOST",
    value: "ADDRESS",
    default: "127.0.0.1",
    help: "address to listen on",
    expected: "an address of this machine, such as 127.0.0.1 or 0.0.0.0",
    parse: (text: string) => accept(/^[\w.:-]+$/.test(text), text),
  },
  port: {
    flag: "--port",
    variable: "STILLUP_PORT",
    value: "PORT",
    default: "7070",
    help: "port to listen on; 0 picks a free port",
    expected: "a whole number from 0 to 65535",
    parse: (text: string) => wholeNumber(text, { least: 0, most: 65_535 }),
  },
  baseUrl: {
    flag: "--base-url",
    variable: "STILLUP_BASE_URL",
    value: "URL",
    help: "public URL of this server, for check-in URLs and links, also with a path; default: the address it listens on",
    expected:
      "a URL that begins with http:// or https://, without a user, a query or a fragment, and whose path has only letters, digits and -._~ between its slashes",
    parse: publicUrl,
    secret: true,
  },
  tlsCert: {
    flag: "--tls-cert",
    variable: "STILLUP_TLS_CERT",
    help: "certificate chain in PEM, to serve HTTPS; requires --tls-key",
    ...files,
  },
  tlsKey: {
    flag: "--tls-key",
    variable: "STILLUP_TLS_KEY",
    help: "private key of --tls-cert, in PEM",
    ...files,
  },
  trustedProxies: {
    flag: "--trusted-proxies",
    variable: "STILLUP_TRUSTED_PROXIES",
    value: "LIST",
    help: "reverse proxies whose X-Forwarded-For identifies the client, as addresses or ranges; default: none, the header is not read",
    expected: "a comma-separated list of IP addresses and ranges, such as 127.0.0.1,10.0.0.0/8,fd00::/8",
    parse: parseAddressRanges,
  },
  dnsServers: {
    flag: "--dns-servers",
    variable: "STILLUP_DNS_SERVERS",
    value: "LIST",
    help: "DNS servers for checks and deliveries, as ip[:port],...; default: the servers of the system",
    expected:
      "a comma-separated list of ip[:port], with brackets around an IPv6 address that has a port, such as 192.0.2.53,[2001:db8::53]:5353",
    parse: parseDnsServers,
  },
  drain: {
    flag: "--drain",
    variable: "STILLUP_DRAIN",
    value: "SECONDS",
    default: "0",
    help: "seconds from a stop signal to the stop, in which /healthz answers 503 and everything else works, so that proxies send requests elsewhere",
    expected: "a whole number of seconds from 0 to 300",
    parse: (text: string) => wholeNumber(text, { least: 0, most: 300 }),
  },
  retentionDays: {
    flag: "--retention-days",
    variable: "STILLUP_RETENTION_DAYS",
    value: "DAYS",
    default: "90",
    help: "days that check results are kept, longer while their notifications are pending; uptime and history always cover 90 days",
    expected: "a whole number from 1 to 36500",
    parse: (text: string) => wholeNumber(text, { least: 1, most: 36_500 }),
  },
  privateTargets: {
    flag: "--private-targets",
    variable: "STILLUP_PRIVATE_TARGETS",
    value: "POLICY",
    default: "allow",
    help: "allow or deny; deny rejects checks and webhooks to loopback, private, link-local and all other special-purpose addresses",
    expected: "allow or deny",
    parse: (text: string) => oneOf(PRIVATE_TARGETS, text),
  },
  acknowledgeLinks: {
    flag: "--acknowledge-links",
    variable: "STILLUP_ACKNOWLEDGE_LINKS",
    value: "ON-OR-OFF",
    default: "on",
    help: "on or off; whether notifications of trouble have a link that acknowledges the outage without signing in",
    expected: "on or off",
    parse: (text: string) => oneOf(["on", "off"] as const, text),
  },
  rdapBootstrap: {
    flag: "--rdap-bootstrap",
    variable: "STILLUP_RDAP_BOOTSTRAP",
    value: "SOURCE",
    help: "list of the RDAP servers of registries in the form of RFC 9224, as a URL or a file; default: that of IANA, built in and refreshed",
    expected:
      "the path of a file with a list of RDAP servers (RFC 9224), or a URL that begins with https://; http:// only at a loopback address",
    parse: rdapSource,
    mayBeEmpty: true,
    secret: true,
  },
  networkCheck: {
    flag: "--network-check",
    variable: "STILLUP_NETWORK_CHECK",
    value: "LIST",
    help: "servers that show whether the network of this machine works, as host:port,...; while none can be connected to, checks without any answer count as not made; default: none",
    expected:
      "a comma-separated list of host:port, with brackets around an IPv6 address, such as 192.0.2.1:443,dns.example.com:853,[2001:db8::1]:443",
    parse: parseNetworkChecks,
    mayBeEmpty: true,
  },
  smtpUrl: {
    flag: "--smtp-url",
    variable: "STILLUP_SMTP_URL",
    value: "URL",
    help: "mail server for EMAIL channels, as smtp://user:password@host:587; smtps:// uses TLS from the start",
    expected: "a URL that begins with smtp:// or smtps:// and ends with the host or its port",
    parse: smtpUrl,
    secret: true,
  },
  smtpPasswordFile: {
    flag: "--smtp-password-file",
    variable: "STILLUP_SMTP_PASSWORD_FILE",
    help: "file with the password of the user in --smtp-url, as it is: not percent-encoded",
    ...secretFile,
  },
  smtpFrom: {
    flag: "--smtp-from",
    variable: "STILLUP_SMTP_FROM",
    value: "ADDRESS",
    help: "sender of the e-mails; requires --smtp-url",
    expected: "an e-mail address, such as stillup@example.com",
    parse: (text: string) => accept(/^[^\s@<>(),;:"[\]\\]+@[\p{L}\p{N}.-]+$/u.test(text), text),
  },
  pageHosts: {
    flag: "--page-hosts",
    variable: "STILLUP_PAGE_HOSTS",
    value: "LIST",
    help: "hosts of public pages, as HOST=SLUG,...: a page is then at the root of its host; default: none",
    expected:
      "a comma-separated list of host names with the slugs of their pages, such as status.example.com=shop,status.example.org=blog",
    parse: parsePageHosts,
    mayBeEmpty: true,
  },
  pageIcon: {
    flag: "--page-icon",
    variable: "STILLUP_PAGE_ICON",
    value: "FILE",
    help: "icon of the public pages; default: that of stillup",
    expected: "the path of an SVG, PNG or ICO file of at most 64 kB",
    parse: pageIcon,
    mayBeEmpty: true,
  },
  ownerEmail: {
    flag: "--owner-email",
    variable: "STILLUP_OWNER_EMAIL",
    value: "ADDRESS",
    help: "invites the owner of the first organization, when a first start creates it: by e-mail with --smtp-url, and the link is printed once; ignored by later starts",
    expected: "an e-mail address, such as ana@example.com",
    parse: (text: string) => accept(text.length <= MAX_EMAIL && isEmail(text), text),
    mayBeEmpty: true,
  },
  oidcIssuer: {
    flag: "--oidc-issuer",
    variable: "STILLUP_OIDC_ISSUER",
    value: "URL",
    help: "provider by which people sign in with OpenID Connect; default: none",
    expected:
      "a URL that begins with https://, without a user, a query or a fragment; http:// only at a loopback address",
    parse: parseIssuer,
    mayBeEmpty: true,
    secret: true,
  },
  oidcClientId: {
    flag: "--oidc-client-id",
    variable: "STILLUP_OIDC_CLIENT_ID",
    value: "ID",
    help: "ID of stillup at the provider; requires --oidc-issuer",
    expected: "the ID of a client, without control characters",
    parse: (text: string) => accept(/^\P{Cc}+$/u.test(text), text),
    mayBeEmpty: true,
  },
  oidcClientSecretFile: {
    flag: "--oidc-client-secret-file",
    variable: "STILLUP_OIDC_CLIENT_SECRET_FILE",
    help: "file with the secret of the client; default: none, for a public client",
    ...secretFile,
  },
  oidcScopes: {
    flag: "--oidc-scopes",
    variable: "STILLUP_OIDC_SCOPES",
    value: "LIST",
    default: "openid email profile",
    help: "scopes that are requested, separated by spaces",
    expected: "scopes that are separated by spaces, with openid among them",
    parse: parseScopes,
  },
  oidcRoleClaim: {
    flag: "--oidc-role-claim",
    variable: "STILLUP_OIDC_ROLE_CLAIM",
    value: "CLAIM",
    help: "claim with the groups of a person, such as groups or realm_access.roles; requires --oidc-roles",
    expected: "the name of a claim, or a path with dots",
    parse: (text: string) => accept(/^[^\s\p{Cc}]+$/u.test(text), text),
    mayBeEmpty: true,
  },
  oidcRoles: {
    flag: "--oidc-roles",
    variable: "STILLUP_OIDC_ROLES",
    value: "LIST",
    help: "roles of the groups in --oidc-role-claim, as GROUP=ROLE,...; somebody in none of them can't sign in",
    expected:
      "a comma-separated list of groups, each once, with viewer, admin or owner, such as ops=admin,staff=viewer",
    parse: parseRoleMapping,
    mayBeEmpty: true,
  },
  oidcOrg: {
    flag: "--oidc-org",
    variable: "STILLUP_OIDC_ORG",
    value: "ID",
    help: "the organization of --oidc-roles; optional while there is exactly one",
    expected: "the ID of an organization",
    parse: (text: string) => accept(/^[\w-]{1,100}$/.test(text), text),
    mayBeEmpty: true,
  },
  oidcOnly: {
    flag: "--oidc-only",
    variable: "STILLUP_OIDC_ONLY",
    value: "",
    help: "people sign in by the provider only, not with passwords or passkeys; as a variable: true or false",
    expected: "true or false",
    parse: (text: string) => accept(["true", "false"].includes(text), text === "true"),
    mayBeEmpty: true,
  },
  config: {
    flag: "--config",
    variable: "STILLUP_CONFIG",
    help: "configuration file, applied when the server starts and at SIGHUP; default: none",
    mayBeEmpty: true,
    ...files,
  },
  configOrg: {
    flag: "--config-org",
    variable: "STILLUP_CONFIG_ORG",
    value: "ID",
    help: "the organization of --config and --discover; optional while there is exactly one",
    expected: "the ID of an organization",
    parse: (text: string) => accept(/^[\w-]{1,100}$/.test(text), text),
    mayBeEmpty: true,
  },
  discover: {
    flag: "--discover",
    variable: "STILLUP_DISCOVER",
    value: "LIST",
    help: `where the server finds what runs, to watch it, as ${DISCOVER_FORM}; default: none`,
    expected: DISCOVER_FORM,
    parse: parseDiscover,
    mayBeEmpty: true,
    secret: true,
  },
  server: {
    flag: "--server",
    variable: "STILLUP_SERVER",
    value: "URL",
    help: "for probe, apply and export: URL of the server; apply and export use the database without it",
    expected: "a URL that begins with http:// or https://, without a user, a query or a fragment",
    parse: baseUrl,
    secret: true,
  },
  keyFile: {
    flag: "--key-file",
    variable: "STILLUP_KEY_FILE",
    help: "for probe: file with the key of its location; for apply and export: file with an API key for --server",
    ...files,
  },
  releasesUrl: {
    flag: "--releases-url",
    variable: "STILLUP_RELEASES_URL",
    value: "URL",
    default: "https://api.github.com/repos/stillup/stillup/releases/latest",
    help: "for version --check: URL that answers the newest release, as GitHub, Gitea and Forgejo do",
    expected: "a URL that begins with https://, without a user; http:// only at a loopback address",
    parse: (text: string) => accept(isSecureUrl(text), text),
    secret: true,
  },
  logLevel: {
    flag: "--log-level",
    variable: "STILLUP_LOG_LEVEL",
    value: "LEVEL",
    default: "info",
    help: LOG_LEVELS.join(", "),
    expected: `one of ${LOG_LEVELS.join(", ")}`,
    parse: (text: string) => oneOf(LOG_LEVELS, text),
  },
  logFormat: {
    flag: "--log-format",
    variable: "STILLUP_LOG_FORMAT",
    value: "FORMAT",
    help: "pretty or json; default: pretty on a terminal, else json",
    expected: `one of ${LOG_FORMATS.join(", ")}`,
    parse: (text: string) => oneOf(LOG_FORMATS, text),
  },
} satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

/** The settings of every command that uses the database. */
export const storeSettings: SettingName[] = ["dataDir", "databaseUrl", "databasePasswordFile"];

/** How to reach a server. */
export const remoteSettings: SettingName[] = ["server", "keyFile"];

/** The settings of the server. */
export const serveSettings = (Object.keys(settings) as SettingName[]).filter(
  (name) => !remoteSettings.includes(name) && name !== "releasesUrl",
);

/** The settings of a remote probe. */
export const probeSettings: SettingName[] = [
  ...remoteSettings,
  "dataDir",
  "dnsServers",
  "privateTargets",
  "networkCheck",
  "logLevel",
  "logFormat",
];

export interface Config {
  dataDir: string;
  /** The database, if it is not the embedded one. It may contain a password. */
  databaseUrl?: string;
  /** For a URL without a password. */
  databasePassword: PasswordSources;
  nodeName: string;
  host: string;
  port: number;
  /** Without a trailing slash (behavior 9.11). */
  baseUrl?: string;
  tls?: { cert: string; key: string };
  trustedProxies: AddressRanges;
  probes: ProbeSettings;
  /** Seconds from a stop signal to the stop. */
  drain: number;
  /** Days. */
  retentionDays: number;
  smtp?: SmtpConfig;
  /** Whether notifications have links that acknowledge an outage (behavior 23.55). */
  acknowledgeLinks: boolean;
  /** The list of RDAP servers of the operator. */
  rdapSource?: RdapSource;
  pageHosts: PageHosts;
  pageIcon?: PageIcon;
  /** Whom a first start invites as the owner (behavior 24.1). */
  ownerEmail?: string;
  oidc?: OidcSettings;
  configuration?: ConfigurationSettings;
  /** The value of `--discover`, which is validated by `assertDiscoverable`. */
  discover?: DiscoverSettings;
  /** The organization of `configuration` and of discovery. Without it, there must be exactly one. */
  configOrg?: string;
  /** Whether the server is a demonstration: see `readDemoConfig`. */
  isDemonstration?: true;
  logLevel: LogLevel;
  logFormat: LogFormat;
}

/**
 * The configuration file of a server (behavior 16.80).
 *
 * @property variables for the placeholders in it @property isDiscoverGiven whether it may not have `discover`, because a flag has it
 */
export interface ConfigurationSettings {
  file: string;
  organizationId: string | undefined;
  variables: Surroundings["env"];
  isDiscoverGiven: boolean;
}

export interface Remote {
  /** The URL of the server, without a trailing slash. */
  server: string;
  /** The path of the file with the key. */
  keyFile: string;
}

/** The settings of `stillup probe` (behavior 13.49). */
export interface ProbeConfig extends Remote, Pick<Config, "dataDir" | "probes" | "logLevel" | "logFormat"> {}

/** Where the password of a database is: in this order. The last two are as for the tools of PostgreSQL. */
export interface PasswordSources {
  /** The path of a file with the password alone. */
  secretFile?: string;
  password?: string;
  /** The path of a password file, which need not exist. */
  file: string;
}

/** The text of each flag that was given, by setting. */
export type Flags = Partial<Record<SettingName, string>>;

/** The surroundings that the configuration reads, besides flags. */
export interface Surroundings {
  env: Record<string, string | undefined>;
  /** Standard error is a terminal. */
  isTerminal: boolean;
}

/** The environment of this process. Nothing else reads it. */
export function processSurroundings(): Surroundings {
  return { env: process.env, isTerminal: isTerminal(2) };
}

/** systemd, as the service manager of a unit with `Type=notify`. */
export interface ServiceManager {
  /** The service is restarted after this many milliseconds without a notification; absent without a watchdog. */
  watchdogMs?: number;
}

/**
 * The service manager that started this process, if it expects notifications.
 *
 * @see sd_notify(3), sd_watchdog_enabled(3)
 */
export function readServiceManager(env: Surroundings["env"], pid: number): ServiceManager | undefined {
  if (!env.NOTIFY_SOCKET) return undefined;
  const isWatched = env.WATCHDOG_USEC && (env.WATCHDOG_PID ?? String(pid)) === String(pid);
  return isWatched ? { watchdogMs: Number(env.WATCHDOG_USEC) / 1000 } : {};
}

/**
 * Reads every setting: a flag takes precedence over its variable, and both over the default (behavior 9.9).
 *
 * @throws UsageError that names the flag or variable and what it accepts
 */
export function readConfig(flags: Flags, { env, isTerminal }: Surroundings): Config {
  const read: Read = (name) => readSetting(settings[name], flags[name], env);
  const databaseUrl = read("databaseUrl");
  const databasePassword = passwordSources(read("databasePasswordFile"), databaseUrl, env);
  const baseUrl = read("baseUrl");
  const tls = tlsFiles(read("tlsCert"), read("tlsKey"));
  const smtp = smtpConfig(read("smtpUrl"), read("smtpFrom"), read("smtpPasswordFile"));
  const pageIcon = read("pageIcon");
  const ownerEmail = read("ownerEmail");
  const discover = read("discover");
  const configOrg = read("configOrg");
  const configuration = configurationSettings(read, env);
  const oidc = oidcSettings(read);
  const rdapSource = read("rdapBootstrap");
  return {
    dataDir: required(read("dataDir")),
    databasePassword,
    nodeName: read("nodeName") ?? defaultNodeName(),
    host: required(read("host")),
    port: required(read("port")),
    trustedProxies: read("trustedProxies") ?? [],
    probes: networkSettings(read),
    drain: required(read("drain")),
    retentionDays: required(read("retentionDays")),
    acknowledgeLinks: required(read("acknowledgeLinks")) === "on",
    pageHosts: hostsBeside(baseUrl, read("pageHosts") ?? new Map()),
    ...logSettings(read, isTerminal),
    ...(databaseUrl !== undefined && { databaseUrl }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(tls && { tls }),
    ...(smtp && { smtp }),
    ...(pageIcon && { pageIcon }),
    ...(ownerEmail !== undefined && { ownerEmail }),
    ...(oidc && { oidc }),
    ...(rdapSource && { rdapSource }),
    ...(configuration && { configuration }),
    ...(discover && { discover: discover as DiscoverSettings }),
    ...(configOrg !== undefined && { configOrg }),
  };
}

/** The settings that a demonstration takes: of its address and its log. */
type DemoSettings = Pick<
  Config,
  "host" | "port" | "drain" | "trustedProxies" | "pageHosts" | "logLevel" | "logFormat"
> &
  Partial<Pick<Config, "baseUrl" | "tls" | "pageIcon">>;

/**
 * The settings of a demonstration (behavior 24.20). All others have no effect: it has no database, and reaches nobody.
 *
 * @throws UsageError as `readConfig`, and for the flags of a database
 */
export function readDemoConfig(flags: Flags, { env, isTerminal }: Surroundings): Config {
  for (const name of storeSettings) {
    if (flags[name] === undefined) continue;
    const { flag } = settings[name];
    throw new UsageError(`${flag} must be left out with --demo: a demonstration has its database in memory`);
  }
  const ignored = new Set<string>(storeSettings.map((name) => settings[name].variable));
  const others = Object.fromEntries(Object.entries(env).filter(([name]) => !ignored.has(name)));
  const config = readConfig(flags, { env: others, isTerminal });
  const { host, port, drain, trustedProxies, pageHosts, logLevel, logFormat } = config;
  const { baseUrl, tls, pageIcon } = config;
  const reached: DemoSettings = {
    ...{ host, port, drain, trustedProxies, pageHosts, logLevel, logFormat },
    ...(baseUrl !== undefined && { baseUrl }),
    ...(tls && { tls }),
    ...(pageIcon && { pageIcon }),
  };
  return {
    ...reached,
    dataDir: IN_MEMORY,
    databasePassword: { file: "" },
    nodeName: "demonstration",
    probes: { privateTargets: "allow" },
    retentionDays: required(settings.retentionDays.parse(settings.retentionDays.default)),
    acknowledgeLinks: false,
    isDemonstration: true,
  };
}

/** In place of the data directory, for readers of the page. */
const IN_MEMORY = "(in memory)";

/** Behavior 19.60. @returns undefined without a provider @throws UsageError for a setting without those that it needs */
function oidcSettings(read: Read): OidcSettings | undefined {
  const [issuer, clientId] = [read("oidcIssuer"), read("oidcClientId")];
  const [claim, roles] = [read("oidcRoleClaim"), read("oidcRoles")];
  const secret = read("oidcClientSecretFile");
  const clientSecret = secret && readSecret(secret);
  const scopes = required(read("oidcScopes"));
  const organizationId = read("oidcOrg");
  const isOnly = read("oidcOnly") ?? false;
  const isAny = [clientId, clientSecret, claim, roles, organizationId].some((value) => value !== undefined);
  if (issuer === undefined && !isAny && !isOnly) return undefined;
  const together = `${settings.oidcIssuer.flag} and ${settings.oidcClientId.flag} go together, and the other settings of OIDC need both`;
  if (issuer === undefined) throw new UsageError(`${settings.oidcIssuer.flag} is missing: ${together}`);
  if (clientId === undefined) throw new UsageError(`${settings.oidcClientId.flag} is missing: ${together}`);
  const mapping = roleMapping(claim, roles);
  return { issuer, clientId, clientSecret, scopes, roles: mapping, organizationId, isOnly };
}

function roleMapping(
  claim: string | undefined,
  roles: RoleMapping["roles"] | undefined,
): RoleMapping | undefined {
  if (claim !== undefined && roles !== undefined) return { claim, roles };
  if (claim === undefined && roles === undefined) return undefined;
  const missing = claim === undefined ? settings.oidcRoleClaim : settings.oidcRoles;
  throw new UsageError(`${missing.flag} is missing: --oidc-role-claim and --oidc-roles go together`);
}

function configurationSettings(
  read: Read,
  variables: Surroundings["env"],
): ConfigurationSettings | undefined {
  const [file, organizationId, discover] = [read("config"), read("configOrg"), read("discover")];
  const isDiscoverGiven = discover !== undefined;
  if (file !== undefined)
    return { file, organizationId, variables: placeholderVariables(variables), isDiscoverGiven };
  if (organizationId === undefined || isDiscoverGiven) return undefined;
  throw new UsageError(
    `${settings.config.flag} or ${settings.discover.flag} is missing: ${settings.configOrg.flag} goes together with them`,
  );
}

/**
 * The variables for the placeholders of a configuration file: the environment, and the credentials of systemd whose names
 * can be the name of a variable (behavior 16.60).
 *
 * @see systemd.exec(5), LoadCredential=
 */
export function placeholderVariables(env: Surroundings["env"]): Surroundings["env"] {
  return { ...credentialsIn(env.CREDENTIALS_DIRECTORY), ...env };
}

/** By name, without the line break at the end. */
function credentialsIn(directory: string | undefined): Record<string, string> {
  if (!directory) return {};
  try {
    const names = readdirSync(directory).filter((name) => /^[A-Za-z_]\w*$/.test(name));
    const read = (name: string) => readFileSync(join(directory, name), "utf8").replace(/\n$/, "");
    return Object.fromEntries(names.map((name) => [name, read(name)]));
  } catch {
    return {};
  }
}

/**
 * Reads the settings of a remote probe, as `readConfig` does.
 *
 * @throws UsageError that names the flag or variable and what it accepts
 */
export function readProbeConfig(flags: Flags, { env, isTerminal }: Surroundings): ProbeConfig {
  const read: Read = (name) => readSetting(settings[name], flags[name], env);
  return {
    server: given("server", read("server")),
    keyFile: given("keyFile", read("keyFile")),
    dataDir: required(read("dataDir")),
    probes: networkSettings(read),
    ...logSettings(read, isTerminal),
  };
}

/**
 * The server that a command uses in place of the database.
 *
 * @returns undefined without a server
 * @throws UsageError that names the flag or variable and what it accepts
 */
export function readRemote(flags: Flags, { env }: Surroundings): Remote | undefined {
  const read: Read = (name) => readSetting(settings[name], flags[name], env);
  const server = read("server");
  return server === undefined ? undefined : { server, keyFile: given("keyFile", read("keyFile")) };
}

/**
 * The URL that `stillup version --check` asks. No other command reads it.
 *
 * @throws UsageError that names the flag or variable and what it accepts
 */
export function readReleasesUrl(flags: Flags, { env }: Surroundings): string {
  return required(readSetting(settings.releasesUrl, flags.releasesUrl, env));
}

/** Reads one setting. */
type Read = <N extends SettingName>(
  name: N,
) => NonNullable<ReturnType<(typeof settings)[N]["parse"]>> | undefined;

function networkSettings(read: Read): ProbeSettings {
  const dnsServers = read("dnsServers");
  const networkCheck = read("networkCheck");
  return {
    privateTargets: required(read("privateTargets")),
    ...(dnsServers && { dnsServers }),
    ...(networkCheck && { networkCheck }),
  };
}

function logSettings(read: Read, isTerminal: boolean): Pick<Config, "logLevel" | "logFormat"> {
  return {
    logLevel: required(read("logLevel")),
    logFormat: read("logFormat") ?? (isTerminal ? "pretty" : "json"),
  };
}

/** @throws UsageError if the user has to give it and did not */
function given<T>(name: SettingName, value: T | undefined): T {
  const { flag, variable } = settings[name];
  if (value === undefined) throw new UsageError(`${flag} is missing: give it, or set ${variable}`);
  return value;
}

function readSetting<S extends Setting>(
  setting: S,
  flag: string | undefined,
  env: Surroundings["env"],
): NonNullable<ReturnType<S["parse"]>> | undefined {
  const source = flag !== undefined ? setting.flag : setting.variable;
  const text = flag ?? env[setting.variable] ?? setting.default;
  if (text === undefined || (text === "" && setting.mayBeEmpty)) return undefined;
  const value = reasoned(() => setting.parse(text), `${source} must be ${setting.expected}`);
  if (value === undefined) {
    const got = setting.secret ? "" : `, got ${JSON.stringify(text)}`;
    throw new UsageError(`${source} must be ${setting.expected}${got}`);
  }
  return value as NonNullable<ReturnType<S["parse"]>>;
}

/** @throws UsageError with the reason of an `AppError` */
function reasoned<T>(work: () => T, sentence: string): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof AppError ? new UsageError(`${sentence}: ${error.message}`) : error;
  }
}

/** Validates `--discover`, whose schema only a server loads. @throws UsageError that names the field (behavior 28.5) */
export async function assertDiscoverable(flags: Flags, { discover }: Config): Promise<void> {
  if (!discover) return;
  const { discoverFaults } = await import("./domain/discovery/settings.ts");
  const [wrong] = discoverFaults(discover, "");
  const { flag, variable } = settings.discover;
  const source = flags.discover === undefined ? variable : flag;
  if (wrong) throw new UsageError(`${source}: ${wrong.path} ${wrong.message}`);
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("a required setting has no default");
  return value;
}

/**
 * @see https://www.postgresql.org/docs/current/libpq-envars.html
 * @throws UsageError for two passwords
 */
function passwordSources(
  secretFile: string | undefined,
  databaseUrl: string | undefined,
  { PGPASSWORD, PGPASSFILE }: Surroundings["env"],
): PasswordSources {
  if (secretFile !== undefined && parseDatabaseUrl(databaseUrl ?? "")?.password !== undefined)
    throw new UsageError(passwordTwice("databaseUrl", "databasePasswordFile"));
  return {
    ...(secretFile && { secretFile }),
    ...(PGPASSWORD && { password: PGPASSWORD }),
    file: PGPASSFILE || join(homeDirectory(), ".pgpass"),
  };
}

function passwordTwice(url: SettingName, file: SettingName): string {
  return `${settings[url].flag} must be without a password, because ${settings[file].flag} has it`;
}

function defaultNodeName(): string {
  return settings.nodeName.parse(hostname()) ?? "node";
}

function tlsFiles(cert: string | undefined, key: string | undefined): Config["tls"] {
  if (cert !== undefined && key !== undefined) return { cert, key };
  if (cert === undefined && key === undefined) return undefined;
  const missing = cert === undefined ? settings.tlsCert : settings.tlsKey;
  throw new UsageError(`${missing.flag} is missing: --tls-cert and --tls-key go together`);
}

function smtpConfig(
  url: URL | undefined,
  from: string | undefined,
  passwordFile: string | undefined,
): SmtpConfig | undefined {
  if (url === undefined && from === undefined && passwordFile === undefined) return undefined;
  const missing = url === undefined ? settings.smtpUrl : settings.smtpFrom;
  if (url === undefined || from === undefined)
    throw new UsageError(`${missing.flag} is missing: --smtp-url and --smtp-from go together`);
  return { url: passwordFile === undefined ? url : withPassword(url, passwordFile), from };
}

/** @throws UsageError for a URL without a user, or with a password */
function withPassword(url: URL, file: string): URL {
  if (url.password !== "") throw new UsageError(passwordTwice("smtpUrl", "smtpPasswordFile"));
  if (url.username === "")
    throw new UsageError(
      `${settings.smtpUrl.flag} must have the user whose password is in ${settings.smtpPasswordFile.flag}, such as smtp://user@mail.example.com`,
    );
  const complete = new URL(url);
  complete.password = encodeURIComponent(readSecret(file) ?? "");
  return complete;
}

/** @throws UsageError for the host of the base URL, at whose root the web page is */
function hostsBeside(baseUrl: string | undefined, hosts: PageHosts): PageHosts {
  const own = baseUrl === undefined ? "" : new URL(baseUrl).hostname;
  if (!hosts.has(own)) return hosts;
  throw new UsageError(`--page-hosts must be hosts other than that of --base-url, got ${own}`);
}

function accept<T>(valid: boolean, value: T): T | undefined {
  return valid ? value : undefined;
}

function oneOf<T extends string>(words: readonly T[], text: string): T | undefined {
  return words.find((word) => word === text);
}

function wholeNumber(text: string, { least, most }: { least: number; most: number }): number | undefined {
  return accept(/^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most, Number(text));
}

function path(text: string): string | undefined {
  return accept(existsSync(text), text);
}

/** Larger than any list of RDAP servers; bytes. */
const MAX_RDAP_LIST = 1024 * 1024;

/** A list of RDAP servers, or its URL. */
function rdapSource(text: string): RdapSource | undefined {
  if (/^https?:\/\//i.test(text)) return accept(isSecureUrl(text), { url: text });
  try {
    return statSync(text).size > MAX_RDAP_LIST ? undefined : parseRdapServers(readFileSync(text, "utf8"));
  } catch {
    return undefined;
  }
}

function pageIcon(file: string): PageIcon | undefined {
  try {
    // A larger file is not read.
    return statSync(file).size > MAX_ICON ? undefined : asPageIcon(readFileSync(file));
  } catch {
    return undefined;
  }
}

/** A base URL whose path means the same in a cookie, in a document and to every proxy. `URL` would resolve its dots. */
function publicUrl(text: string): string | undefined {
  const [, path = ""] = /^\w+:\/\/[^/]*(.*?)\/*$/s.exec(text) ?? [];
  const isPlain = path === "" || /^(\/(?!\.\.?(\/|$))[\w.~-]+)+$/.test(path);
  return isPlain ? baseUrl(text) : undefined;
}

/** Stricter than `URL`, which accepts `http:host` and surrounding blanks. @returns the origin and the path */
function baseUrl(text: string): string | undefined {
  const url = /^https?:\/\/[^\s/\\]\S*$/i.test(text) ? URL.parse(text) : null;
  if (!url || url.href !== url.origin + url.pathname) return undefined;
  return url.href.replace(/\/+$/, "");
}

function smtpUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === "") return undefined;
  const rest = url.pathname.replace(/^\/$/, "") + url.search + url.hash;
  return accept(rest === "" && isDecodable(url.username + url.password), url);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
