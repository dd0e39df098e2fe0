import { expect, test } from "bun:test";
import type { AuditAction, Author } from "../../../src/domain/accounts/audit.ts";
import { EVERY_GROUP } from "../../../src/domain/alerts/notify.ts";
import { contractSuite } from "./suite.ts";
import { DAY, HOUR, NOW, type World } from "./world.ts";

const AUTHOR: Author = {
  actor: { type: "key", id: "k1", name: "deploy" },
  address: "192.0.2.7",
  at: NOW + HOUR,
};

contractSuite("audited-changes", (world) => {
  /** The store that writes as the author. */
  const owned = (at = AUTHOR.at) => world().store.as({ ...AUTHOR, at });

  async function log(own: World = world()) {
    const { items } = await own.store.audit.list(own.organizationId, { limit: 200 });
    return items.map(({ action, resource, changed }) => ({ action, name: resource.name, changed }));
  }

  const entry = (action: AuditAction, name: string, changed: string[] = []) => ({ action, name, changed });

  test("behavior 14.70: an entry says who changed what, when and from where", async () => {
    const { organizationId } = world();
    const id = await world().channel({ name: "ops" });
    await owned().channels.update(organizationId, id, { name: "night" }, NOW);
    await world().opened.reopen();
    expect(await world().store.audit.list(organizationId, { limit: 1 })).toEqual({
      items: [
        {
          id: expect.stringMatching(/^[0-9A-Za-z]{32}$/),
          createdAt: NOW + HOUR,
          actor: AUTHOR.actor,
          address: "192.0.2.7",
          action: "channel.updated",
          resource: { type: "channel", id, name: "night" },
          changed: ["name"],
          before: { name: "ops" },
        },
      ],
      cursor: null,
    });
  });

  test("behavior 14.70: what stillup does by itself is not logged", async () => {
    await world().job(await world().channel());
    expect(await log()).toEqual([]);
  });

  test("behavior 14.70: a change that fails is not logged", async () => {
    const { owner, organizationId } = world();
    const job = { name: "job", type: "SCHEDULED", config: { interval: 300 } } as const;
    const unbound = { ...job, alertChannelIds: ["none"] };
    await expect(owned().monitors.create(owner, unbound, NOW)).rejects.toMatchObject({ kind: "invalid" });
    const id = await world().job();
    const changes = { name: "new", alertChannelIds: ["none"] };
    await expect(owned().monitors.update(owner, id, changes, NOW)).rejects.toMatchObject({ kind: "invalid" });
    await expect(owned().apiKeys.delete("none", organizationId)).rejects.toMatchObject({ kind: "not_found" });
    await expect(owned().monitors.pauseAll("none", NOW)).rejects.toMatchObject({ kind: "not_found" });
    expect(await log()).toEqual([]);
  });

  test("behavior 14.71, 14.72: monitors", async () => {
    const { owner, organizationId } = world();
    const channel = await world().channel();
    const job = { name: "job", type: "SCHEDULED", config: { interval: 300 }, recoveries: 1 } as const;
    const { id } = await owned().monitors.create(owner, job, NOW);
    const changes = { name: "backup", enabled: false, recoveries: 1, alertChannelIds: [channel] };
    await owned().monitors.update(owner, id, changes, NOW);
    await owned().monitors.update(owner, id, changes, NOW + 1);
    await owned().monitors.update(owner, id, { config: { interval: 300, period: 3600 } }, NOW);
    await owned().monitors.update(owner, id, { tags: ["db"], dependsOn: [await world().job()] }, NOW);
    await owned().monitors.delete(organizationId, id);
    expect(await log()).toEqual([
      entry("monitor.deleted", "backup"),
      entry("monitor.updated", "backup", ["tags", "dependsOn"]),
      entry("monitor.updated", "backup", ["config"]),
      entry("monitor.updated", "backup", ["name", "enabled", "alertBindings"]),
      entry("monitor.created", "job", ["name", "type", "config", "recoveries"]),
    ]);
  });

  test("behavior 14.71: the pause of all monitors is one entry, about the organization", async () => {
    const { organizationId, organization } = world();
    await world().site();
    await world().job();
    expect(await owned().monitors.pauseAll(organizationId, NOW)).toBe(2);
    const { items } = await world().store.audit.list(organizationId, { limit: 50 });
    expect(items).toMatchObject([
      {
        action: "monitor.all_paused",
        resource: { type: "organization", id: organizationId, name: organization.name },
        changed: [],
      },
    ]);
  });

  test("behavior 14.71, 14.72: channels", async () => {
    const { owner, organizationId } = world();
    const hook = { name: "hook", type: "WEBHOOK", config: { url: "http://127.0.0.1:1/" } } as const;
    const { id, notifyOn } = await owned().channels.create(owner, hook, NOW);
    expect(notifyOn).toEqual(EVERY_GROUP);
    await owned().channels.update(organizationId, id, { ...hook, notifyOn, enabled: true }, NOW);
    await owned().channels.update(organizationId, id, { config: { url: "http://127.0.0.1:2/" } }, NOW);
    await owned().channels.delete(organizationId, id);
    expect(await log()).toEqual([
      entry("channel.deleted", "hook"),
      entry("channel.updated", "hook", ["config"]),
      entry("channel.created", "hook", ["name", "type", "config"]),
    ]);
  });

  test("behavior 14.71, 14.72: API keys", async () => {
    const { organizationId } = world();
    const key = { organizationId, name: "deploy", role: "admin", expiresAt: null, key: "stillup_a" } as const;
    const { id } = await owned().apiKeys.create(key, NOW);
    await world().store.apiKeys.saveLastUses(new Map([[id, NOW]]));
    await owned().apiKeys.update(organizationId, id, { name: "deploy", expiresAt: NOW + DAY });
    await owned().apiKeys.update(organizationId, id, { name: "deploy" });
    await owned().apiKeys.delete(id);
    expect(await log()).toEqual([
      entry("api_key.deleted", "deploy"),
      entry("api_key.updated", "deploy", ["expiresAt"]),
      entry("api_key.created", "deploy", ["name", "role"]),
    ]);
  });

  test("behavior 14.71, 14.72: locations", async () => {
    const { organizationId } = world();
    const { id } = await owned().locations.create(
      { organizationId, name: "fra", key: "stillup_probe_a" },
      NOW,
    );
    await owned().locations.update(organizationId, id, { name: "ber" });
    await owned().locations.update(organizationId, id, { name: "ber" });
    await owned().locations.delete(organizationId, id);
    expect(await log()).toEqual([
      entry("location.deleted", "ber"),
      entry("location.updated", "ber", ["name"]),
      entry("location.created", "fra", ["name"]),
    ]);
  });

  test("behavior 14.71, 14.72: the organization, with its default channels", async () => {
    const { organizationId } = world();
    const channel = await world().channel();
    const settings = { name: "A", defaultAlertChannelIds: [channel] };
    await owned().organizations.updateSettings(organizationId, settings);
    await owned().organizations.updateSettings(organizationId, settings);
    await owned().organizations.update(organizationId, { name: "Z", plan: "pro" });
    expect(await log()).toEqual([
      entry("organization.updated", "Z", ["name", "plan"]),
      entry("organization.updated", "A", ["defaultAlertChannelIds"]),
    ]);
  });

  test("behavior 14.74: an organization sees only its own entries", async () => {
    const other = await world().another();
    await owned().organizations.update(other.organizationId, { name: "B" });
    expect(await log()).toEqual([]);
    expect(await log(other)).toEqual([entry("organization.updated", "B", ["name"])]);
    await expect(world().store.audit.list("none", { limit: 1 })).rejects.toMatchObject({ kind: "not_found" });
  });

  test("behavior 14.100: no secret of a change is stored", async () => {
    const { owner, organizationId } = world();
    const hook = { name: "hook", type: "WEBHOOK", config: { url: "http://hidden.example/" } } as const;
    const { id } = await owned().channels.create(owner, hook, NOW);
    await owned().channels.update(organizationId, id, { config: { url: "http://hidden.example/2" } }, NOW);
    const page = await world().store.audit.list(organizationId, { limit: 50 });
    expect(page.items).toHaveLength(2);
    expect(JSON.stringify(page)).not.toContain("hidden");
  });
});
