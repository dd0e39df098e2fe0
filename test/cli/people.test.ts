import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { commandsOfNewDatabase } from "../support/product/command.ts";

let commands: Awaited<ReturnType<typeof commandsOfNewDatabase>>;

beforeEach(async () => {
  commands = await commandsOfNewDatabase();
  await commands.run("orgs", "create", "Acme");
});

afterEach(() => commands[Symbol.asyncDispose]());

const people = (...args: string[]) => commands.run("people", ...args);
const printed = (...args: string[]) => commands.printed("people", ...args);

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
    const { code, stdout, stderr } = await people("link", id);
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
    const { code, stdout, stderr } = await people(...args);
    expect([code !== 0, stdout, stderr]).toEqual([true, "", expect.stringContaining(message)]);
  });

  test("behavior 19.40: does not disable the last owner: exit code 1", async () => {
    const { id } = await printed("create", "--email", "ana@example.com", "--role", "owner");
    const store = await commands.open();
    await store.db.run("UPDATE memberships SET state = 'active'");
    await store[Symbol.asyncDispose]();
    const { code, stderr } = await people("disable", id);
    expect([code, stderr]).toEqual([1, expect.stringContaining("must keep an owner")]);
  });
});

test("behavior 19.12: the name of a person or a key is refused with a control character", async () => {
  const named = ["--name", "An\u001b[31ma", "--role", "viewer"];
  for (const args of [
    ["people", "create", "--email", "ana@example.com", ...named],
    ["keys", "create", ...named],
  ]) {
    const { code, stdout, stderr } = await commands.run(...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("--name must be 1 to 200 characters without control characters");
  }
});
