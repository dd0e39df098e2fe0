import { expect, test } from "bun:test";
import { createLogger } from "../src/log.ts";
import { createPrettyLogger } from "../src/pretty-log.ts";

function linesOf(level: "debug" | "info" | "warn" | "silent") {
  const lines: Record<string, unknown>[] = [];
  return { lines, log: createLogger({ level }, (line) => lines.push(JSON.parse(line))) };
}

test("a line has the level, the time, the fields and the message", () => {
  const { lines, log } = linesOf("info");
  log.info({ file: "a", count: 2 }, "read");
  log.warn("alone");
  expect(lines).toEqual([
    { level: "info", time: expect.any(String), file: "a", count: 2, msg: "read" },
    { level: "warn", time: expect.any(String), msg: "alone" },
  ]);
  expect(new Date(String(lines[0]?.time)).toISOString()).toBe(String(lines[0]?.time));
});

test("lines below the level are left out, and all are if the log is silent", () => {
  const { lines, log } = linesOf("warn");
  log.debug("a");
  log.info("b");
  log.error("c");
  expect(lines.map(({ msg }) => msg)).toEqual(["c"]);
  const silent = linesOf("silent");
  silent.log.error("d");
  expect(silent.lines).toEqual([]);
});

test("an error has its type, its causes with their stacks, and its own fields", () => {
  const { lines, log } = linesOf("info");
  const cause = Object.assign(new TypeError("the disk is full"), { code: "ENOSPC" });
  log.error({ err: Object.assign(new Error("not written", { cause }), { path: "/a" }) }, "failed");
  const err = lines[0]?.err as Record<string, string>;
  expect(err).toMatchObject({ type: "Error", message: "not written: the disk is full", path: "/a" });
  expect(err.stack).toMatch(/Error: not written\n[\s\S]*\ncaused by: TypeError: the disk is full\n/);
});

test("lines for people are written to standard error with the time of day, the level and the fields", async () => {
  const script = `import { createPrettyLogger } from "${import.meta.dir}/../src/pretty-log.ts";
    createPrettyLogger({ level: "info" }).info({ file: "a\\u0007" }, "read");`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "pipe" });
  expect(await new Response(child.stderr).text()).toMatch(
    /^\[\d\d:\d\d:\d\d\] INFO: read\n {4}file: "a\\u0007"\n$/,
  );
  expect(await new Response(child.stdout).text()).toBe("");
  expect(createPrettyLogger({ level: "info" }).debug).toBeFunction();
});

test("a line that is larger than the buffer of a pipe is written completely, and the next one after it", async () => {
  const script = `import { writeToErrors } from "${import.meta.dir}/../src/log.ts";
    writeToErrors("a".repeat(1_000_000));
    writeToErrors("b");`;
  const child = Bun.spawn([process.execPath, "-e", script], { stderr: "pipe" });
  const text = await new Response(child.stderr).text();
  expect(text).toHaveLength(1_000_003);
  expect(text).toEndWith("a\nb\n");
});
