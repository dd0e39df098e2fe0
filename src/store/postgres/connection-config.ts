import { existsSync, readFileSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { type DatabaseUrl, parseDatabaseUrl, type SslMode } from "../../domain/network/database-url.ts";
import { AppError } from "../../errors.ts";
import { homeDirectory } from "../../home-directory.ts";
import { readSecret } from "../../secret-file.ts";
import type { StoreSettings } from "../engine.ts";

/** @property name what messages call the database @property configs the ways to connect, in the order to try them */
export interface Connection {
  name: string;
  configs: pg.ClientConfig[];
}

/** Where Debian and PostgreSQL itself put the socket. */
const SOCKET_DIRECTORIES = ["/var/run/postgresql", "/tmp"];

/**
 * How to connect, as the tools of PostgreSQL do with the same URL.
 *
 * @throws AppError `invalid` if the URL is malformed, or names a file that can't be read
 */
export function connectionOf({ databaseUrl, databasePassword }: StoreSettings): Connection {
  const url = parseDatabaseUrl(databaseUrl ?? "");
  if (!url) throw new AppError("invalid", "the database URL is malformed");
  const user = url.user ?? ownName();
  const database = url.database ?? user;
  const host = url.host ?? defaultHost(url.port);
  const { application_name = "stillup", options, channel_binding } = url.parameters;
  const target = { host, port: url.port, database, user };
  const file = url.parameters.passfile ?? databasePassword?.file;
  // A function, so that a password file is read again for each connection.
  const { secretFile, password: known } = databasePassword ?? {};
  const secret = () => (secretFile === undefined ? undefined : readSecret(secretFile));
  const password = async () => url.password ?? secret() ?? known ?? findPassword(file, target);
  const base: pg.ClientConfig = { ...target, application_name, password: password as () => Promise<string> };
  if (options !== undefined) base.options = options;
  if (channel_binding === "require" || channel_binding === "prefer") base.enableChannelBinding = true;
  // Defined in any case: `pg` would read PGSSLMODE otherwise.
  return { name: nameOf(target), configs: tlsOf(url, host).map((ssl) => ({ ...base, ssl })) };
}

/** @throws AppError `invalid` for a user of a container without a name */
function ownName(): string {
  try {
    return userInfo().username;
  } catch {
    throw new AppError(
      "invalid",
      "the database URL must name a user, because this process runs as one without a name",
    );
  }
}

function nameOf({ host, port, database }: { host: string; port: number; database: string }): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return `the database ${JSON.stringify(database)} at ${name}:${port}`;
}

function defaultHost(port: number): string {
  const directory = SOCKET_DIRECTORIES.find((one) => existsSync(join(one, `.s.PGSQL.${port}`)));
  return directory ?? "localhost";
}

type Tls = Exclude<NonNullable<pg.ClientConfig["ssl"]>, true>;

/** @see https://www.postgresql.org/docs/current/libpq-ssl.html#LIBPQ-SSL-PROTECTION */
function tlsOf({ sslmode, parameters }: DatabaseUrl, host: string): Tls[] {
  if (host.startsWith("/")) return [false];
  const modes: Record<SslMode, () => Tls[]> = {
    disable: () => [false],
    allow: () => [false, unverified()],
    prefer: () => [unverified(), false],
    // As with libpq, a root certificate turns this into `verify-ca`.
    require: () => [rootOf(parameters.sslrootcert) ? verified(false) : unverified()],
    "verify-ca": () => [verified(false)],
    "verify-full": () => [verified(true)],
  };
  const unverified = () => ({ ...clientCertificate(), rejectUnauthorized: false });
  const verified = (withName: boolean) => {
    const ca = rootOf(parameters.sslrootcert);
    return {
      ...clientCertificate(),
      ...(ca !== undefined && { ca }),
      rejectUnauthorized: true,
      ...(!withName && { checkServerIdentity: () => undefined }),
    };
  };
  const clientCertificate = () => {
    const cert = fileOf("sslcert", parameters.sslcert, "postgresql.crt");
    const key = cert && fileOf("sslkey", parameters.sslkey, "postgresql.key");
    return cert && key ? { cert, key } : {};
  };
  return modes[sslmode]();
}

/** @returns undefined for the certificates of the system */
function rootOf(path: string | undefined): string | undefined {
  return path === "system" ? undefined : fileOf("sslrootcert", path, "root.crt");
}

/** @param fallback the name of a file that is used if it exists @throws AppError `invalid` */
function fileOf(parameter: string, path: string | undefined, fallback: string): string | undefined {
  const file = path ?? join(homeDirectory(), ".postgresql", fallback);
  if (path === undefined && !existsSync(file)) return undefined;
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new AppError(
      "invalid",
      `${parameter} of the database URL can't be read: ${(error as Error).message}`,
    );
  }
}

/** The connection that a line of a password file is for. */
interface PasswordTarget {
  host: string;
  port: number;
  database: string;
  user: string;
}

/** The host of a line for the usual socket. */
const DEFAULT_SOCKETS = ["/var/run/postgresql", "/tmp"];

/**
 * Finds a password in a password file of PostgreSQL: the first line that fits. Like the tools of PostgreSQL, it ignores a
 * file that others may read.
 *
 * @see https://www.postgresql.org/docs/current/libpq-pgpass.html
 */
export function findPassword(file: string | undefined, target: PasswordTarget): string | undefined {
  const text = file === undefined ? undefined : readPrivate(file);
  const wanted = [hostOf(target), String(target.port), target.database, target.user];
  for (const line of (text ?? "").split(/\r?\n/)) {
    const fields = line.startsWith("#") ? [] : fieldsOf(line);
    const password = fields[wanted.length];
    if (password && wanted.every((value, at) => fields[at] === "*" || fields[at] === value)) return password;
  }
  return undefined;
}

function hostOf({ host }: PasswordTarget): string {
  return DEFAULT_SOCKETS.includes(host) ? "localhost" : host;
}

/** A backslash escapes a colon or a backslash. */
function fieldsOf(line: string): string[] {
  const fields = line.match(/(?:\\.|[^:\\])*(?::|$)/g) ?? [];
  return fields.map((field) => field.replace(/:$/, "").replace(/\\(.)/g, "$1"));
}

function readPrivate(file: string): string | undefined {
  try {
    const { mode } = statSync(file);
    return (mode & 0o077) === 0 ? readFileSync(file, "utf8") : undefined;
  } catch {
    return undefined;
  }
}
