import { readFileSync, statSync } from "node:fs";

/** The connection that a line of a password file is for. */
export interface PasswordTarget {
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
