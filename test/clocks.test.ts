import { expect, test } from "bun:test";

/** Rooms whose tests take their time from the server, the database or the clock that they pass to what they test. */
const ROOMS = "test/{api,runner,store}/**/*.ts";

/** A clock of this process, and a wait for it. `Bun.sleep(0)` only lets other work run. */
const CLOCKS =
  /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|\bBun\.sleep(?:Sync)?\((?!0\))|\bsetTimeout\(/g;

/** Files that need one all the same, with the reason. Everything else awaits a condition, see `eventually`. */
const ALLOWED: Record<string, string> = {
  "test/api/database-away.test.ts":
    "behavior 12.6 promises an answer within 10 s, by timers of the database client",
  "test/api/evidence.test.ts":
    "a remote probe has a clock of its own, which its server compares with its own",
  "test/api/remote-probe.test.ts":
    "a request that is held gives no sign: it must not be answered for a while",
  "test/runner/start-in-restart.test.ts": "the connections of a real database break in a rhythm",
  "test/runner/checks/scheduler.test.ts": "a target of a real check answers late",
  "test/store/postgres/driver.test.ts": "the tries to reach a database last at least as long as its patience",
  "test/store/postgres/silent-connection.test.ts": "the client ends a silent connection by its own timer",
};

function clocksIn(source: string): string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  return code.match(CLOCKS) ?? [];
}

test("tests of the API, the runner and the store neither read the clock of this process nor wait for it", async () => {
  const found = new Set<string>();
  for await (const path of new Bun.Glob(ROOMS).scan("."))
    if (clocksIn(await Bun.file(path).text()).length > 0) found.add(path);
  expect([...found].sort()).toEqual(Object.keys(ALLOWED).sort());
});

test("a clock of this process and a wait for it are found, but not in a comment", () => {
  expect(clocksIn("const now = Date.now();\nconst today = new Date();")).toHaveLength(2);
  expect(clocksIn("await Bun.sleep(10); setTimeout(end, 5); performance.now();")).toHaveLength(3);
  expect(clocksIn("new Date(time); Bun.sleep(0); clock.now();\n// Date.now()")).toEqual([]);
});
