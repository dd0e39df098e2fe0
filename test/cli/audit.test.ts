import { expect, test } from "bun:test";
import { commandsOfNewDatabase } from "../support/product/command.ts";

test("behavior 14.71, 14.73, 9.107: what commands change is in the audit log, with the user who ran them", async () => {
  await using commands = await commandsOfNewDatabase();
  const { id } = await commands.printed("orgs", "create", "Acme");
  await commands.run("orgs", "update", id, "--name", "Acme", "--plan", "pro");
  await commands.run("keys", "create", "--name", "deploy", "--role", "viewer");
  const [key] = await commands.printed("keys", "list");
  await commands.run("keys", "revoke", key.id);
  await using opened = await commands.open();
  const { items } = await opened.store.audit.list(id, { limit: 50 });
  const author = {
    actor: { type: "cli" as const, id: null, name: Bun.spawnSync(["id", "-un"]).stdout.toString().trim() },
    address: null,
    id: expect.any(String),
    createdAt: expect.any(Number),
  };
  const deploy = { type: "api_key" as const, id: key.id, name: "deploy" };
  expect(items).toEqual([
    {
      ...author,
      action: "api_key.deleted",
      resource: deploy,
      changed: [],
      before: { role: "viewer", expiresAt: null },
    },
    { ...author, action: "api_key.created", resource: deploy, changed: ["name", "role"] },
    {
      ...author,
      action: "organization.updated",
      resource: { type: "organization", id, name: "Acme" },
      changed: ["plan"],
      before: { plan: "enterprise" },
    },
  ]);
  for (const { createdAt } of items) expect(Math.abs(createdAt - Date.now())).toBeLessThan(600_000);
});
