import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { eventually } from "../support/eventually.ts";
import { stillup } from "../support/product/command.ts";
import { isMissing } from "../support/requirements.ts";
import { tempDir } from "../support/temp-dir.ts";

setDefaultTimeout(120_000);

const OWNER = "ana@example.com";
const LINK = /http:\/\/127\.0\.0\.1:\d+\/invite\/\w+/g;
const PROGRAM = ["bun", join(import.meta.dir, "../../src/main.ts")];
const env = { PATH: process.env.PATH ?? "", HOME: "/nonexistent" };

/** Runs `serve` until it has begun to listen and all of its first lines are there, and stops it. */
async function firstLines(args: string[], under: string[] = []) {
  const command = [...PROGRAM, "serve", "--port", "0", ...args];
  const all = under.length > 0 ? [...under, command.join(" "), "/dev/null"] : command;
  const child = Bun.spawn(all, { env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const printed = { stdout: "", stderr: "" };
  const read = async (name: keyof typeof printed) => {
    const decoder = new TextDecoder();
    for await (const part of child[name]) printed[name] += decoder.decode(part, { stream: true });
  };
  const reading = [read("stdout"), read("stderr")];
  const url = await eventually(() => /listening on (\S+)/.exec(printed.stdout)?.[1]);
  // The line of the link is written before the server answers its stop signal.
  await fetch(`${url}/healthz`);
  child.kill("SIGTERM");
  await Promise.all([child.exited, ...reading]);
  return printed;
}

const linksIn = (text: string) => text.match(LINK) ?? [];

describe("behavior 24.2: the link of the first owner", () => {
  test("is logged once as a warning without a terminal, and not by the next start", async () => {
    using dir = tempDir();
    const args = ["--data-dir", join(dir.path, "data"), "--owner-email", OWNER];
    const { stdout, stderr } = await firstLines(args);
    expect(linksIn(stdout)).toEqual([]);
    const [line, ...others] = stderr.split("\n").filter((one) => one.includes("/invite/"));
    expect(others).toEqual([]);
    expect(JSON.parse(line ?? "{}")).toMatchObject({ level: "warn", email: OWNER });
    const again = await firstLines(args);
    expect(linksIn(again.stdout + again.stderr)).toEqual([]);
  });

  test("is printed if the log has no warnings", async () => {
    using dir = tempDir();
    const args = ["--data-dir", join(dir.path, "data"), "--owner-email", OWNER, "--log-level", "error"];
    const { stdout, stderr } = await firstLines(args);
    expect(linksIn(stdout)).toHaveLength(1);
    expect(linksIn(stderr)).toEqual([]);
  });

  test.skipIf(isMissing(["script"]))("is printed once on a terminal, and not logged", async () => {
    using dir = tempDir();
    const args = ["--data-dir", join(dir.path, "data"), "--owner-email", OWNER];
    const { stdout } = await firstLines(args, ["script", "--quiet", "--return", "--command"]);
    expect(stdout).toContain(`The invitation of ${OWNER}, which works once, until `);
    expect(linksIn(stdout)).toHaveLength(1);
  });
});

test("behavior 24.1: an address that is none is a wrong setting", async () => {
  for (const wrong of [
    "ana",
    "ana@",
    "@example.com",
    "a@example.com,b@example.com",
    `${"a".repeat(250)}@b.de`,
  ]) {
    expect(await stillup(["serve", "--port", "0", "--owner-email", wrong])).toEqual({
      code: 2,
      stdout: "",
      stderr: `stillup: --owner-email must be an e-mail address, such as ana@example.com, got ${JSON.stringify(wrong)}\n`,
    });
  }
});
