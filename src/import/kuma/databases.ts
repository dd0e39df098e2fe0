import {
  intervalOf,
  type Mapped,
  type OmittedPart,
  omittedTimes,
  type Refused,
  type Row,
  textIn,
  timeoutOf,
} from "./fields.ts";
import { tlsFields } from "./tcp.ts";

/** @property schemes of its connection strings @property tls how a connection string asks for TLS */
interface Database {
  protocol: "redis" | "postgres" | "mysql";
  schemes: readonly string[];
  port: number;
  tls: (url: URL) => "direct" | "starttls" | undefined;
}

const REDIS: Database = {
  protocol: "redis",
  schemes: ["redis:", "rediss:"],
  port: 6379,
  tls: ({ protocol }) => (protocol === "rediss:" ? "direct" : undefined),
};

const POSTGRES: Database = {
  protocol: "postgres",
  schemes: ["postgres:", "postgresql:"],
  port: 5432,
  tls: ({ searchParams }) => {
    const mode = searchParams.get("sslmode") ?? searchParams.get("ssl") ?? "";
    return ["require", "verify-ca", "verify-full", "no-verify", "true", "1"].includes(mode)
      ? "starttls"
      : undefined;
  },
};

const MYSQL: Database = {
  protocol: "mysql",
  schemes: ["mysql:", "mariadb:"],
  port: 3306,
  tls: ({ searchParams }) => (["", "false", null].includes(searchParams.get("ssl")) ? undefined : "starttls"),
};

export const redisFrom = (row: Row): Mapped | Refused => databaseFrom(row, REDIS);
export const postgresFrom = (row: Row): Mapped | Refused => databaseFrom(row, POSTGRES);
export const mysqlFrom = (row: Row): Mapped | Refused => databaseFrom(row, MYSQL);

/** The types for databases have a URL, whose host and port are taken over: there is no login, and no query. */
function databaseFrom(row: Row, { protocol, schemes, port, tls }: Database): Mapped | Refused {
  const url = URL.parse(textIn(row, "database_connection_string"));
  if (!url || !schemes.includes(url.protocol) || url.hostname === "")
    return { why: `its connection string is no URL that begins with ${schemes[0]}//HOST` };
  return {
    type: "TCP",
    config: {
      host: hostOf(url),
      port: url.port === "" ? port : Number(url.port),
      protocol,
      ...tlsFields(row, tls(url)),
      interval: intervalOf(row),
      timeout: timeoutOf(row),
    },
    omitted: [...omittedTimes(row), ...omittedLogin(url, row)],
    notes: [],
  };
}

/** A URL of an unknown scheme keeps percent signs and brackets. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

function omittedLogin({ username, password }: URL, row: Row): OmittedPart[] {
  const omitted: OmittedPart[] = [];
  if (username !== "" || password !== "")
    omitted.push({ part: "user and password", why: "stillup does not log in: the server must only answer" });
  if (textIn(row, "database_query") !== "") omitted.push({ part: "query", why: "stillup sends no queries" });
  return omitted;
}
