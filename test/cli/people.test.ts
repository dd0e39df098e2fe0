import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { engineOfTests } from "../support/store/engines.ts";
import { tempDir } from "../support/temp-dir.ts";

// Each command is a process.
setDefaultTimeout(300_000);

const MAIN = join(import.meta.dir, "../../src/main.ts");

let dir: ReturnType<typeof tempDir>;
let data: Awaited<ReturnType<ReturnType<typeof engineOfTests>["createFor"]>>;

beforeEach(async () => {
  dir = tempDir();
  data = await engineOfTests().createFor(dir.path);
  await stillup("orgs", "create", "Acme");
});

afterEach(async () => {
  await data.delete();
  dir[Symbol.dispose]();
});

async function stillup(...args: string[]) {
  const env = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "/", ...data.env };
  const command = [process.execPath, MAIN, ...args, "--data-dir", join(dir.path, "data")];
  const { exited, stdout, stderr } = Bun.spawn(command, { env, stderr: "pipe" });
  const [out, error] = [await new Response(stdout).text(), await new Response(stderr).text()];
  return { code: await exited, stdout: out, stderr: error };
}

async function printed(...args: string[]) {
  const { code, stdout, stderr } = await stillup("people", ...args);
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

describe("behavior 19.9: stillup people", () => {
  test("creates, lists and disables people as JSON; the URL of an invitation is shown once", async () => {
    const created = await printed(
      ...["create", "--email", "ana@example.com", "--role", "owner", "--name", "Ana"],
      ...["--base-url", "https://up.example.com"],
    );
    const { inviteUrl, ...ana } = created;
    expect(inviteUrl).toMatch(/^https:\/\/up\.example\.com\/invite\/person_\w{43}$/);
    expect(ana).toMatchObject({ name: "Ana", email: "ana@example.com", role: "owner", state: "invited" });
    expect(await printed("list")).toEqual([ana]);
    expect(await printed("disable", ana.id)).toEqual({ ...ana, state: "disabled" });
  });

  test("link prints the link alone on standard output, for a script", async () => {
    const { id } = await printed("create", "--email", "ana@example.com", "--role", "viewer");
    const { code, stdout, stderr } = await stillup("people", "link", id);
    expect([code, stderr]).toEqual([0, "A link for ana@example.com. It works once, within an hour:\n"]);
    expect(stdout).toMatch(/^http:\/\/localhost:7070\/invite\/person_\w{43}\n$/);
  });

  test.each([
    [
      ["create", "--email", "nobody", "--role", "viewer"],
      "--email must be one e-mail address, such as ops@example.com",
    ],
    [["disable", "none"], 'there is no person with the ID "none"'],
    [["link", "none"], 'there is no person with the ID "none"'],
  ])("%j fails with a sentence", async (args, message) => {
    const { code, stdout, stderr } = await stillup("people", ...args);
    expect([code !== 0, stdout, stderr]).toEqual([true, "", expect.stringContaining(message)]);
  });

  test("behavior 19.40: does not disable the last owner: exit code 1", async () => {
    const { id } = await printed("create", "--email", "ana@example.com", "--role", "owner");
    const store = await data.open();
    const db = store.db;
    await db.run("UPDATE memberships SET state = 'active'");
    await store[Symbol.asyncDispose]();
    const { code, stderr } = await stillup("people", "disable", id);
    expect([code, stderr]).toEqual([1, expect.stringContaining("must keep an owner")]);
  });
});

test("behavior 19.12: the name of a person or a key is refused with a control character", async () => {
  const named = ["--name", "An\u001b[31ma", "--role", "viewer"];
  for (const args of [
    ["people", "create", "--email", "ana@example.com", ...named],
    ["keys", "create", ...named],
  ]) {
    const { code, stdout, stderr } = await stillup(...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("--name must be 1 to 200 characters without control characters");
  }
});
