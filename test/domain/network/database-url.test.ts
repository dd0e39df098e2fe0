import { describe, expect, test } from "bun:test";
import { parseDatabaseUrl } from "../../../src/domain/network/database-url.ts";

const NONE = {
  user: undefined,
  password: undefined,
  host: undefined,
  port: 5432,
  database: undefined,
  sslmode: "prefer",
  parameters: {},
};

describe("behavior 12.2: a database URL", () => {
  test.each<[string, object]>([
    ["postgres://", {}],
    ["postgresql:///a", { database: "a" }],
    ["postgresql://h", { host: "h" }],
    ["postgresql://h/", { host: "h" }],
    ["postgresql://u@h/d", { user: "u", host: "h", database: "d" }],
    ["postgresql://u:p@h:6543/d", { user: "u", password: "p", host: "h", port: 6543, database: "d" }],
    ["postgresql://u:p%40%2F%3A@h", { user: "u", password: "p@/:", host: "h" }],
    ["postgresql://u:@h", { user: "u", host: "h" }],
    ["postgresql://[::1]:6543/d", { host: "::1", port: 6543, database: "d" }],
    ["postgresql://%2Fvar%2Frun/d", { host: "/var/run", database: "d" }],
    ["postgresql://u@/d?host=/tmp/s&port=1", { user: "u", host: "/tmp/s", port: 1, database: "d" }],
    ["postgresql://h/d?user=u&password=p&dbname=e", { user: "u", password: "p", host: "h", database: "e" }],
    [
      "postgresql://h?sslmode=verify-full&sslrootcert=/a%20b",
      { host: "h", sslmode: "verify-full", parameters: { sslrootcert: "/a b" } },
    ],
    ["postgresql://h?sslmode=", { host: "h" }],
  ])("%s", (text, parts) => {
    expect(parseDatabaseUrl(text)).toEqual({ ...NONE, ...parts } as never);
  });

  test.each([
    "",
    "h",
    "mysql://h/d",
    "postgresql:/h",
    "postgresql://h:0/d",
    "postgresql://h:70000/d",
    "postgresql://h:x/d",
    "postgresql://a,b/d",
    "postgresql://h/d/e",
    "postgresql://h/d ",
    "postgresql://h/%zz",
    "postgresql://h/%00",
    "postgresql://[::1/d",
    "postgresql://u:p?q@h/d",
    "postgresql://h/d?sslmode=maybe",
    "postgresql://h/d?sslmode",
    "postgresql://h/d?host=a,b",
    "postgresql://h/d?gssencmode=require",
  ])("may not be %p", (text) => {
    expect(parseDatabaseUrl(text)).toBeUndefined();
  });
});
