import { beforeAll, describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stillup } from "../support/product/command.ts";
import { tempDir } from "../support/temp-dir.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const dir = await untilEndOfFile(tempDir());
const own = { STILLUP_DATA_DIR: join(dir.path, "data") };

describe("behavior 9.19: an error on the command line exits with code 2 and one line that names it", () => {
  test.each([
    [["serve", "--port", "x"], {}, '--port must be a whole number from 0 to 65535, got "x"'],
    [
      ["serve"],
      { STILLUP_PORT: "99999" },
      'STILLUP_PORT must be a whole number from 0 to 65535, got "99999"',
    ],
    [["serve", "--prot", "1"], {}, "unknown option '--prot'"],
    [["serve", "--log-level", "loud"], {}, "--log-level must be one of debug, info, warn, error"],
    [["serve", "extra"], {}, "too many arguments"],
    [["nonsense"], {}, "unknown command 'nonsense'"],
    [[], {}, "give a command: see stillup help"],
    [["help", "nope"], {}, "unknown command 'nope'"],
    [["help", "orgs", "nope"], {}, "unknown command 'nope'"],
    [["orgs", "help", "nope"], {}, "unknown command 'nope'"],
    [["orgs", "update", "x"], {}, "give what to change: --name, --plan or --subscription"],
    [["orgs", "create"], {}, "missing required argument 'NAME'"],
    [["orgs", "create", " "], {}, "NAME must be 1 to 200 characters"],
    [["orgs", "create", "A", "--plan", "gold"], {}, "Allowed choices are starter, pro, enterprise"],
    [["keys", "create"], {}, "--name <NAME>' not specified"],
    [
      ["keys", "create", "--name", "k", "--expires-at", "tomorrow"],
      {},
      "--expires-at must be an ISO 8601 time",
    ],
  ])("%p %p", async (args, env, message) => {
    const { code, stdout, stderr } = await stillup(args, { ...own, ...env });
    expect({ code, stdout, lines: stderr.trimEnd().split("\n").length }).toEqual({
      code: 2,
      stdout: "",
      lines: 1,
    });
    expect(stderr).toStartWith("stillup: ");
    expect(stderr).toContain(message);
  });
});

describe("behavior 9.104: a command that fails says why in its own words, after its name", () => {
  const { path: folder } = dir;
  const absent = join(folder, "absent");
  const file = join(folder, "a-file");
  const key = join(folder, "a-key");
  beforeAll(() => {
    writeFileSync(file, "text");
    writeFileSync(key, `stillup_${"a".repeat(43)}\n`, { mode: 0o600 });
  });

  test.each([
    [["orgs", "create", "A", "--data-dir", file], 1, "can't be read: a part of its path is not a directory"],
    [["serve", "--port", "0", "--data-dir", file], 1, `${file} is not a directory`],
    [["orgs", "create", "A", "--data-dir", "/proc/none"], 1, "/proc/none can't be created: "],
    [["keys", "list", "--data-dir", file], 1, "can't be read: a part of its path is not a directory"],
    [["restore", folder], 1, `${folder} is a directory`],
    [["import", "kuma", absent], 1, `${absent} can't be read: there is no such file or directory`],
    [["import", "kuma", folder], 1, `${folder} has no file kuma.db: give the data folder of Uptime Kuma`],
    [["import", "gatus", absent], 1, `${absent} can't be read: there is no such file or directory`],
    [["import", "gatus", file], 1, `${file} is not a configuration of Gatus`],
    [["import", "healthchecks", folder], 1, `${folder} can't be read: it is a directory`],
    [["import", "upptime", absent], 1, `${absent} can't be read: there is no such file or directory`],
    [["import", "upptime", file], 1, `${file} is not a configuration of Upptime: it has no sites`],
    [["import", "openstatus", folder], 1, `${folder} can't be read: it is a directory`],
    [["import", "openstatus", file], 1, `${file} is not a file of openstatus: give openstatus.yaml`],
    [["import", "uptimerobot", folder], 1, `${folder} can't be read: it is a directory`],
    [["import", "uptimerobot", file], 1, `${file} is not JSON`],
    [["import", "betterstack", absent], 1, `${absent} can't be read: there is no such file or directory`],
    [["import", "betterstack", file], 1, `${file} is not JSON`],
    [["apply", absent], 1, `the file ${absent} can't be read: there is no such file or directory`],
    [["apply", folder], 1, `the file ${folder} can't be read: it is a directory`],
    [
      ["export", "--server", "http://localhost:1", "--key-file", folder],
      2,
      `${folder} can't be read: it is a directory`,
    ],
    [
      ["export", "--server", "http://localhost:1", "--key-file", key],
      1,
      "http://localhost:1: the connection was refused",
    ],
    [["health", "--url", "http://localhost:1"], 1, "/healthz can't be reached: the connection was refused"],
    [["keys"], 2, "give a command: see stillup help keys"],
  ])("%j", async (args, code, message) => {
    const done = await stillup(args as string[], own);
    expect(done).toMatchObject({ code, stdout: "" });
    expect(done.stderr).toMatch(/^stillup: [^\n]+\n$/);
    expect(done.stderr).toContain(message as string);
    expect(done.stderr).not.toMatch(/\bE[A-Z]{4,}\b/);
  });
});

test.each([
  [["backup", "copy.db"]],
  [["check"]],
  [["keys", "create", "--name", "k"]],
  [["keys", "list"]],
  [["keys", "revoke", "x"]],
  [["orgs", "list"]],
  [["orgs", "update", "x", "--name", "A"]],
])("%p does not create a database in a wrong directory", async (args) => {
  const wrong = join(dir.path, "elsewhere");
  expect(await stillup([...args, "--data-dir", wrong])).toEqual({
    code: 1,
    stdout: "",
    stderr: `stillup: ${wrong}/stillup.db does not exist\n`,
  });
  expect(existsSync(wrong)).toBe(false);
});
