import { type Static, Type } from "@sinclair/typebox";
import { Command } from "commander";
import { type Flags, remoteSettings, storeSettings, UsageError } from "../config.ts";
import { formatDuration } from "../domain/duration.ts";
import { isoOrNull } from "../domain/iso-time.ts";
import { attended, type Standing, standingOf } from "../domain/monitors/standing.ts";
import { statusLabel } from "../domain/monitors/status-label.ts";
import { StatusSchema } from "../domain/monitors/status-schema.ts";
import { nullable } from "../domain/schemas/schema.ts";
import { AppError } from "../errors.ts";
import { userName } from "../process-user.ts";
import { createServerClient } from "./configuration-client.ts";
import { remoteFor } from "./context.ts";
import {
  accessHelp,
  listOption,
  ownOrganization,
  printJson,
  say,
  warn,
  withAuthor,
  withOrganization,
  withSettings,
} from "./options.ts";
import { printRows, withJson } from "./table.ts";

/* The daily work with monitors, on a database or by the API of a server (behavior 9.124 to 9.126). */

export function monitorsCommand(): Command {
  return new Command("monitors")
    .description("list, pause, resume and check monitors")
    .addCommand(listCommand())
    .addCommand(switchCommand("pause"))
    .addCommand(switchCommand("resume"))
    .addCommand(checkCommand());
}

interface AccessFlags extends Flags {
  org?: string;
}

function withAccess(command: Command): Command {
  return withSettings(withOrganization(command), [...remoteSettings, ...storeSettings], accessHelp);
}

interface ListOptions extends AccessFlags {
  tag?: string[];
  json?: true;
}

function listCommand(): Command {
  const command = new Command("list")
    .description("list the monitors with their status, by name")
    .addOption(listOption("--tag <TAG>", "only those with this tag; may be repeated for one of several"));
  return withJson(withAccess(command)).action(async ({ tag, json, org, ...flags }: ListOptions) => {
    const monitors = await useMonitors({ flags, org }, (access) => access.list());
    const now = Date.now();
    const columnsOf = {
      MONITOR: ({ name }: ListedMonitor) => name,
      STATUS: (monitor: ListedMonitor) => statusOf(monitor),
      FOR: ({ since, enabled }: ListedMonitor) =>
        since === null || !enabled ? "-" : formatDuration(Math.max(0, now - Date.parse(since))),
      TYPE: ({ type }: ListedMonitor) => type,
      TAGS: ({ tags }: ListedMonitor) => tags.join(", ") || "-",
      ID: ({ id }: ListedMonitor) => id,
    };
    await printRows(monitors.filter((one) => hasTag(one, tag)).sort(byName), columnsOf, json);
  });
}

function byName(one: ListedMonitor, other: ListedMonitor): number {
  return one.name < other.name ? -1 : Number(one.name > other.name);
}

function hasTag({ tags }: ListedMonitor, wanted: string[] | undefined): boolean {
  return wanted === undefined || wanted.some((tag) => tags.includes(tag));
}

function statusOf({ status, standing }: ListedMonitor): string {
  if (standing === "paused") return "Paused";
  const label = statusLabel[status];
  if (standing === "maintenance") return `${label} (in maintenance)`;
  return standing === "acknowledged" ? `${label} (acknowledged)` : label;
}

interface SwitchOptions extends AccessFlags {
  tag?: string[];
  all?: true;
}

function switchCommand(verb: "pause" | "resume"): Command {
  const command = new Command(verb)
    .description(`${verb} monitors, and print those that changed as JSON`)
    .argument("[MONITOR...]", "names or IDs")
    .addOption(listOption("--tag <TAG>", "monitors with this tag; may be repeated for one of several"))
    .option("--all", "all monitors");
  return withAccess(command).action(async (names: string[], { tag, all, org, ...flags }: SwitchOptions) => {
    if (names.length === 0 && !tag && !all)
      throw new UsageError("give which monitors: names, --tag or --all");
    const changed = await useMonitors({ flags, org }, async (access) => {
      const monitors = await access.list();
      const named = names.map((name) => theOne(monitors, name).id);
      const others = monitors.filter((one) => all || (tag && hasTag(one, tag))).map(({ id }) => id);
      const ids = [...new Set([...named, ...others])];
      return ids.length === 0 ? [] : access.change(ids, verb === "resume");
    });
    printJson(changed);
    const did = verb === "pause" ? "Paused" : "Resumed";
    say(`${did} ${changed.length} ${changed.length === 1 ? "monitor" : "monitors"}`);
  });
}

function checkCommand(): Command {
  const command = new Command("check")
    .description("check monitors at once, and record the results as usual")
    .argument("<MONITOR...>", "names or IDs");
  return withAccess(command).action(async (names: string[], { org, ...flags }: AccessFlags) => {
    const checked = await useMonitors({ flags, org }, async (access) => {
      const monitors = await access.list();
      const wanted = names.map((name) => theOne(monitors, name));
      for (const { id } of wanted) await access.check(id);
      return wanted.map(({ id, name }) => ({ id, name }));
    });
    printJson(checked);
    say(checked.length === 1 ? "The check begins" : "The checks begin");
  });
}

interface AckOptions extends AccessFlags {
  note?: string;
}

export function ackCommand(): Command {
  const command = new Command("ack")
    .description("acknowledge the open outage of a monitor, and print the outage as JSON")
    .argument("<MONITOR|OUTAGE>", "the name or ID of the monitor, or the ID of the outage")
    .option("--note <TEXT>", "what others should know, up to 500 characters");
  return withAccess(command).action(async (name: string, { note = "", org, ...flags }: AckOptions) => {
    if (note.length > 500) throw new UsageError("--note must have at most 500 characters");
    const outage = await useMonitors({ flags, org }, async (access) => {
      const monitor = matching(await access.list(), name);
      if (!monitor) return access.acknowledge(name, note);
      const id = await access.openOutage(monitor.id);
      if (id === null) throw new AppError("refused", `${monitor.name} has no open outage`);
      return access.acknowledge(id, note);
    });
    printJson(outage);
  });
}

/** @throws AppError `refused` for several monitors with the name; undefined without any */
function matching(monitors: readonly ListedMonitor[], name: string): ListedMonitor | undefined {
  const byId = monitors.find(({ id }) => id === name);
  const named = byId ? [byId] : monitors.filter((one) => one.name === name);
  if (named.length > 1) {
    const ids = named.map(({ id }) => id).join(", ");
    throw new AppError(
      "refused",
      `${named.length} monitors have the name ${JSON.stringify(name)}: give one of the IDs ${ids}`,
    );
  }
  return named[0];
}

/** @throws AppError `refused` without exactly one */
function theOne(monitors: readonly ListedMonitor[], name: string): ListedMonitor {
  const found = matching(monitors, name);
  if (!found) throw new AppError("refused", `no monitor has the name or ID ${JSON.stringify(name)}`);
  return found;
}

const Listed = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  tags: Type.Array(Type.String()),
  status: StatusSchema,
  enabled: Type.Boolean(),
  since: nullable(Type.String()),
  maintenance: nullable(Type.Object({})),
  acknowledgement: nullable(Type.Object({})),
});

type ListedMonitor = Pick<
  Static<typeof Listed>,
  "id" | "name" | "type" | "tags" | "status" | "enabled" | "since"
> & { standing: Standing };

interface Named {
  id: string;
  name: string;
}

/** The monitors of an organization, in the database or behind a server. */
interface MonitorAccess {
  list(): Promise<ListedMonitor[]>;
  /** @returns the monitors that were in the other state */
  change(ids: string[], enabled: boolean): Promise<Named[]>;
  check(id: string): Promise<unknown>;
  /** The ID of the open outage of a monitor; null without one. */
  openOutage(monitorId: string): Promise<string | null>;
  acknowledge(outageId: string, note: string): Promise<unknown>;
}

function useMonitors<Result>(
  { flags, org }: { flags: Flags; org: string | undefined },
  use: (access: MonitorAccess) => Promise<Result>,
): Promise<Result> {
  const remote = remoteFor(flags, org);
  if (!remote) return useStored({ flags, org }, use);
  return use(behindServer(createServerClient(remote, warn)));
}

const Matched = Type.Array(Type.Object({ id: Type.String(), name: Type.String() }));

/** An API answers a change of many monitors with the first 100 of them. */
const AT_ONCE = 100;

function behindServer({ request }: ReturnType<typeof createServerClient>): MonitorAccess {
  return {
    async list() {
      const data = Type.Object({ monitors: Type.Array(Listed) });
      const { monitors } = await request("overview", { data, method: "GET" });
      return monitors.map(({ maintenance, acknowledgement, ...monitor }) => ({
        ...withoutOthers(monitor),
        standing: standingOf({ ...monitor, maintenance, acknowledgement }),
      }));
    },
    async change(ids, enabled) {
      const changed: Named[] = [];
      for (let at = 0; at < ids.length; at += AT_ONCE) {
        const selector = { monitorIds: ids.slice(at, at + AT_ONCE) };
        const body = JSON.stringify({ selector, change: { enabled } });
        const data = Type.Object({ changed: Matched });
        changed.push(...(await request("monitors/bulk", { data, method: "POST", body })).changed);
      }
      return changed.map(({ id, name }) => ({ id, name }));
    },
    check: (id) => request(`monitors/${id}/check`, { data: Type.Unknown(), method: "POST" }),
    async openOutage(monitorId) {
      const query = new URLSearchParams({ monitorId, open: "true", limit: "1" });
      const data = Type.Array(Type.Object({ id: Type.String() }));
      const [outage] = await request(`outages?${query}`, { data, method: "GET" });
      return outage?.id ?? null;
    },
    acknowledge: (id, note) =>
      request(`outages/${encodeURIComponent(id)}/acknowledge`, {
        data: Type.Unknown(),
        method: "POST",
        body: JSON.stringify(note === "" ? {} : { note }),
        missing: noSuch(id),
      }),
  };
}

function noSuch(name: string): string {
  return `there is no monitor with the name or ID, and no outage with the ID ${JSON.stringify(name)}`;
}

function withoutOthers({ id, name, type, tags, status, enabled, since }: Omit<ListedMonitor, "standing">) {
  return { id, name, type, tags, status, enabled, since };
}

function useStored<Result>(
  { flags, org }: { flags: Flags; org: string | undefined },
  use: (access: MonitorAccess) => Promise<Result>,
): Promise<Result> {
  return withAuthor(flags, async (store, now) => {
    const organizationId = await ownOrganization(store, org);
    return use({
      async list() {
        const attendance = await store.outages.findAttendance(organizationId, now);
        const selection = { now, most: Number.MAX_SAFE_INTEGER, attendance };
        const { standings } = await store.monitors.findWorst(organizationId, selection);
        return standings.map((one) => ({
          ...withoutOthers({ ...one, since: isoOrNull(one.since) }),
          standing: standingOf(attended(one, attendance)),
        }));
      },
      async change(ids, enabled) {
        const request = { selector: { monitorIds: ids }, change: { enabled } };
        const { changed } = await store.monitors.changeInBulk(
          organizationId,
          request,
          { isDryRun: false },
          now,
        );
        return changed.map(({ id, name }) => ({ id, name }));
      },
      check: (id) => store.monitors.requestCheck(organizationId, id, now),
      async openOutage(monitorId) {
        const wanted = { monitorId, isOpen: true, limit: 1, cursor: undefined };
        const { items } = await store.outages.list(organizationId, wanted);
        return items[0]?.id ?? null;
      },
      async acknowledge(id, note) {
        const given = { by: userName(), note: note || null };
        const outage = store.outages.acknowledge(organizationId, id, given, now);
        const { startedAt, endedAt, acknowledgedAt, ...others } = await ofOutage(id, outage);
        return {
          ...others,
          startedAt: isoOrNull(startedAt),
          endedAt: isoOrNull(endedAt),
          acknowledgedAt: isoOrNull(acknowledgedAt),
        };
      },
    });
  });
}

async function ofOutage<Value>(id: string, outcome: Promise<Value>): Promise<Value> {
  try {
    return await outcome;
  } catch (error) {
    if (error instanceof AppError && error.kind === "not_found") throw new AppError("not_found", noSuch(id));
    throw error;
  }
}
