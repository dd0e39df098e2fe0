import { expect, test } from "bun:test";
import { join } from "node:path";
import { engineOfTests } from "../support/store/engines.ts";
import { tempDir } from "../support/temp-dir.ts";

const MAIN = join(import.meta.dir, "../../src/main.ts");

/** Runs a command of stillup. @returns what it prints */
async function run(args: string[], env: Record<string, string>): Promise<string> {
  const environment = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "/", ...env };
  const command = Bun.spawn([process.execPath, MAIN, ...args], { env: environment, stderr: "pipe" });
  const [stdout, stderr, code] = await Promise.all([
    new Response(command.stdout).text(),
    new Response(command.stderr).text(),
    command.exited,
  ]);
  expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

test("behavior 14.71, 14.73, 9.107: what commands change is in the audit log, with the user who ran them", async () => {
  using dir = tempDir();
  const data = await engineOfTests().createFor(dir.path);
  try {
    const command = (...args: string[]) => run([...args, "--data-dir", join(dir.path, "data")], data.env);
    const { id } = JSON.parse(await command("orgs", "create", "Acme"));
    await command("orgs", "update", id, "--name", "Acme", "--plan", "pro");
    await command("keys", "create", "--name", "deploy", "--role", "viewer");
    const [key] = JSON.parse(await command("keys", "list"));
    await command("keys", "revoke", key.id);
    await using opened = await data.open();
    const { items } = await opened.store.audit.list(id, { limit: 50 });
    const author = {
      actor: { type: "cli" as const, id: null, name: Bun.spawnSync(["id", "-un"]).stdout.toString().trim() },
      address: null,
      id: expect.any(String),
      createdAt: expect.any(Number),
    };
    const deploy = { type: "api_key" as const, id: key.id, name: "deploy" };
    expect(items).toEqual([
      { ...author, action: "api_key.deleted", resource: deploy, changed: [] },
      { ...author, action: "api_key.created", resource: deploy, changed: ["name", "role"] },
      {
        ...author,
        action: "organization.updated",
        resource: { type: "organization", id, name: "Acme" },
        changed: ["plan"],
      },
    ]);
    for (const { createdAt } of items) expect(Math.abs(createdAt - Date.now())).toBeLessThan(600_000);
  } finally {
    await data.delete();
  }
}, 300_000);
