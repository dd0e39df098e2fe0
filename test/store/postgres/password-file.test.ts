import { expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findPassword } from "../../../src/store/postgres/connection-config.ts";
import { tempDir } from "../../support/temp-dir.ts";

const TARGET = { host: "db.test", port: 5432, database: "up", user: "me" };

function found(text: string, target: Partial<typeof TARGET> = {}, mode = 0o600): string | undefined {
  using dir = tempDir();
  const file = join(dir.path, "pgpass");
  writeFileSync(file, text);
  chmodSync(file, mode);
  return findPassword(file, { ...TARGET, ...target });
}

test.each<[string, string | undefined]>([
  ["db.test:5432:up:me:secret", "secret"],
  ["*:*:*:*:any\ndb.test:5432:up:me:later", "any"],
  ["other:5432:up:me:no\ndb.test:*:up:me:second\r\n", "second"],
  ["db.test:5432:up:me:a\\:b\\\\c", "a:b\\c"],
  ["# *:*:*:*:comment", undefined],
  ["db.test:5433:up:me:secret", undefined],
  ["db.test:5432:up:me", undefined],
  ["", undefined],
])("behavior 12.2: the password file %p has the password %p", (text, password) => {
  expect(found(text)).toBe(password as string);
});

test("behavior 12.2: a password file names the usual socket localhost", () => {
  expect(found("localhost:*:*:*:secret", { host: "/var/run/postgresql" })).toBe("secret");
  expect(found("/tmp/s:*:*:*:secret", { host: "/tmp/s" })).toBe("secret");
});

test("behavior 12.2: a password file that others can read, or that is missing, is ignored", () => {
  expect(found("*:*:*:*:secret", {}, 0o640)).toBeUndefined();
  expect(findPassword("/no/such/file", TARGET)).toBeUndefined();
});
