import { ruleOf } from "../schemas/format-rules.ts";

/**
 * The parts of a connection URL of PostgreSQL. What it leaves out is undefined.
 *
 * @see https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS
 */
export interface DatabaseUrl {
  user: string | undefined;
  password: string | undefined;
  /** A name, an address, or the directory of a socket, which begins with `/`. */
  host: string | undefined;
  port: number;
  database: string | undefined;
  sslmode: SslMode;
  /** Other parameters, by name. */
  parameters: Partial<Record<Parameter, string>>;
}

export type SslMode = (typeof SSL_MODES)[number];

const SSL_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const;

const PARAMETERS = [
  "sslrootcert",
  "sslcert",
  "sslkey",
  "channel_binding",
  "passfile",
  "application_name",
  "options",
] as const;

type Parameter = (typeof PARAMETERS)[number];

/** Parameters of URLs that providers give out. They are accepted without an effect: stillup has its own timeouts. */
const WITHOUT_EFFECT = ["connect_timeout", "target_session_attrs"] as const;

/** Parameters that replace a part of the URL. */
const PARTS = ["user", "password", "host", "port", "dbname", "sslmode"] as const;

/** The valid form of a URL. Completes the sentence "--database-url must be …". */
export const DATABASE_URL_FORM = `a URL such as postgresql://user@host:5432/database, with one host and the parameters ${[...PARTS, ...PARAMETERS].join(", ")}`;

const PORT = 5432;

const FORM =
  /^postgres(?:ql)?:\/\/(?:(?<user>[^:@/?\s]*)(?::(?<password>[^@/?\s]*))?@)?(?<host>\[[^\]\s]*\]|[^:@/?,\s]*)(?::(?<port>\d*))?(?:\/(?<dbname>[^/?\s]*))?(?:\?(?<query>\S*))?$/;

/** @returns undefined if the text is not such a URL, or has a parameter that is not supported here */
export function parseDatabaseUrl(text: string): DatabaseUrl | undefined {
  const groups = FORM.exec(text)?.groups;
  const given = groups && decodeAll(partsOf(groups));
  if (!given || !Object.keys(given).every(isKnown)) return undefined;
  const { user, password, host, port, dbname, sslmode = "prefer", ...parameters } = given;
  const mode = SSL_MODES.find((one) => one === sslmode);
  const number = parsePort(port);
  if (mode === undefined || number === undefined || host?.includes(",")) return undefined;
  return { user, password, host, port: number, database: dbname, sslmode: mode, parameters };
}

/** An empty part counts as not given, and a parameter wins over the part of the same name. */
function partsOf({ query = "", host, ...parts }: Record<string, string | undefined>): [string, string][] {
  const parameters = query.split("&").filter((pair) => pair !== "");
  return [
    ...Object.entries({ ...parts, host: host?.replace(/^\[(.*)\]$/, "$1") }),
    ...parameters.map((pair): [string, string] => {
      const at = pair.indexOf("=");
      return at < 0 ? [pair, "\0"] : [pair.slice(0, at), pair.slice(at + 1)];
    }),
  ].filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== "");
}

/** @returns undefined for an escape that is none, a NUL character, or a parameter without `=` */
function decodeAll(parts: [string, string][]): Record<string, string> | undefined {
  try {
    const decoded = parts.map(([name, value]) => [name, decodeURIComponent(value)] as const);
    return decoded.some(([, value]) => value.includes("\0")) ? undefined : Object.fromEntries(decoded);
  } catch {
    return undefined;
  }
}

function isKnown(name: string): boolean {
  return [...PARTS, ...PARAMETERS, ...WITHOUT_EFFECT].some((one) => one === name);
}

function parsePort(text: string | undefined): number | undefined {
  if (text === undefined) return PORT;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : undefined;
}

/** A server that shows whether the network of this machine works (behavior 13.50). */
export interface NetworkCheck {
  /** A host name or an IP address, without brackets. */
  host: string;
  port: number;
}

/** @param text a comma-separated list of `host:port`, with brackets around an IPv6 address */
export function parseNetworkChecks(text: string): NetworkCheck[] | undefined {
  const checks = text.split(",").map((one) => parseNetworkCheck(one.trim()));
  return checks.every((one) => one !== undefined) ? checks : undefined;
}

function parseNetworkCheck(text: string): NetworkCheck | undefined {
  const [, bracketed, plain, digits] = /^(?:\[(.+:.*)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  if (host === undefined || port < 1 || port > 65_535) return undefined;
  return ruleOf("host")?.accepts(host) ? { host, port } : undefined;
}
