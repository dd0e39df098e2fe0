import { Type } from "@sinclair/typebox";
import { Command } from "commander";
import { type Flags, remoteSettings, storeSettings, UsageError } from "../config.ts";
import { parseDuration } from "../domain/duration.ts";
import { iso } from "../domain/iso-time.ts";
import { shownMaintenance } from "../domain/maintenance/maintenance.ts";
import { NewMaintenance } from "../domain/maintenance/request.ts";
import type { Selector } from "../domain/monitors/selector.ts";
import { parse } from "../domain/schemas/validation.ts";
import { AppError } from "../errors.ts";
import { createServerClient } from "./configuration-client.ts";
import { remoteFor } from "./context.ts";
import {
  accessHelp,
  listOption,
  naming,
  ownOrganization,
  printJson,
  warn,
  withAuthor,
  withOrganization,
  withSettings,
} from "./options.ts";
import { printRows, timeCell, withJson } from "./table.ts";

/** Behavior 14.49. */
export function maintenanceCommand(): Command {
  return new Command("maintenance")
    .description("start, end and list maintenances, in which changes of the status are not notified")
    .addCommand(startCommand())
    .addCommand(endCommand())
    .addCommand(listCommand());
}

/** Milliseconds. A later end could not be written as a time. */
const MAX_DURATION = 36_500 * 24 * 60 * 60 * 1000;

function withAccess(command: Command): Command {
  return withSettings(withOrganization(command), [...remoteSettings, ...storeSettings], accessHelp);
}

interface StartOptions extends Flags {
  for: string;
  title: string;
  tag?: string[];
  monitor?: string[];
  all?: true;
  org?: string;
}

function startCommand(): Command {
  const command = new Command("start")
    .description("start a maintenance now and print it as JSON")
    .requiredOption("--for <DURATION>", "how long, such as 30m, 2h or 1h30m")
    .option("--title <TITLE>", "what is maintained", "Maintenance")
    .addOption(listOption("--tag <TAG>", "monitors with this tag; may be repeated"))
    .addOption(listOption("--monitor <ID>", "this monitor; may be repeated"))
    .option("--all", "all monitors");
  return withAccess(command).action(
    async ({ for: length, title, tag, monitor, all, org, ...flags }: StartOptions) => {
      const duration = parseDuration(length);
      if (duration === null) throw new UsageError("--for must be a duration, such as 30m, 2h or 1h30m");
      if (duration > MAX_DURATION) throw new UsageError("--for must be at most 36500d");
      if (!tag && !monitor && !all) throw new UsageError("give which monitors: --tag, --monitor or --all");
      const selector = {
        ...(monitor && { monitorIds: monitor }),
        ...(tag && { tags: tag }),
        ...(all && { all }),
      };
      const created = await withOwnMaintenances({ flags, org }, ({ start }) =>
        start({ title, selector }, duration),
      ).catch(nameFlag);
      printJson(created);
    },
  );
}

/** Replaces the name of a field of the selector by the flag for it. */
function nameFlag(error: unknown): never {
  if (!(error instanceof AppError)) throw error;
  const message = error.message
    .replace(/^selector\.monitorIds\.\d+/, "--monitor")
    .replace(/^selector\.tags\.\d+/, "--tag");
  throw new AppError(error.kind, message);
}

interface EndOptions extends Flags {
  tag?: string[];
  org?: string;
}

function endCommand(): Command {
  const command = new Command("end")
    .description("end open maintenances and print them as JSON")
    .argument("[ID]", "a maintenance; optional with --tag, or while exactly one is open")
    .addOption(listOption("--tag <TAG>", "those for exactly these tags; may be repeated"));
  return withAccess(command).action(async (id: string | undefined, { tag, org, ...flags }: EndOptions) => {
    if (id !== undefined && tag) throw new UsageError("give an ID or --tag, not both");
    const ended = await withOwnMaintenances({ flags, org }, async ({ list, end }) => {
      const ids = id === undefined ? toEnd(await list(), tag) : [id];
      const all: Shown[] = [];
      for (const one of ids) all.push(await end(one));
      return all;
    });
    printJson(ended);
  });
}

/** @throws AppError `refused` if no open maintenance is meant, or not clearly one */
function toEnd(maintenances: Shown[], tags: string[] | undefined): string[] {
  const open = maintenances.filter(({ state }) => state === "active");
  const meant = tags ? open.filter(({ selector }) => isExactly(selector, tags)) : open;
  if (meant.length === 0) {
    const which = tags ? ` for exactly the tags ${tags.join(", ")}` : "";
    throw new AppError("refused", `no maintenance${which} is open`);
  }
  if (!tags && meant.length > 1)
    throw new AppError("refused", `${meant.length} maintenances are open: give an ID or --tag`);
  return meant.map(({ id }) => id);
}

function isExactly({ monitorIds, tags = [], all }: Selector, wanted: string[]): boolean {
  if (monitorIds || all) return false;
  return new Set(tags).symmetricDifference(new Set(wanted)).size === 0;
}

const COLUMNS = {
  MAINTENANCE: ({ title }: Shown) => title,
  STATE: ({ state }: Shown) => state,
  "STARTS (UTC)": ({ nextStartsAt, startsAt }: Shown) => timeCell(nextStartsAt ?? startsAt),
  "ENDS (UTC)": ({ nextEndsAt, endsAt }: Shown) => timeCell(nextEndsAt ?? endsAt),
  FOR: ({ selector }: Shown) => targetsOf(selector),
  ID: ({ id }: Shown) => id,
};

function targetsOf({ all, tags = [], monitorIds = [] }: Selector): string {
  if (all) return "all monitors";
  const monitors = monitorIds.length === 1 ? "1 monitor" : `${monitorIds.length} monitors`;
  return [...tags, ...(monitorIds.length > 0 ? [monitors] : [])].join(", ");
}

function listCommand(): Command {
  const command = new Command("list").description("list the maintenances");
  return withJson(withAccess(command)).action(
    async ({ org, json, ...flags }: { org?: string; json?: true } & Flags) => {
      const maintenances = await withOwnMaintenances({ flags, org }, ({ list }) => list());
      await printRows(maintenances, COLUMNS, json);
    },
  );
}

/** Maintenances in the form of the API. */
type Shown = ReturnType<typeof shownMaintenance>;

/** The maintenances of an organization, in the database or behind a server. */
interface OwnMaintenances {
  list(): Promise<Shown[]>;
  /** @param duration milliseconds from now on @throws AppError `invalid` that names a field of the request */
  start(request: Pick<NewMaintenance, "title" | "selector">, duration: number): Promise<Shown>;
  end(id: string): Promise<Shown>;
}

function withOwnMaintenances<Result>(
  { flags, org }: { flags: Flags; org: string | undefined },
  use: (own: OwnMaintenances) => Promise<Result>,
): Promise<Result> {
  const remote = remoteFor(flags, org);
  if (!remote) return withStoredMaintenances({ flags, org }, use);
  return use(behindServer(createServerClient(remote, warn)));
}

function withStoredMaintenances<Result>(
  { flags, org }: { flags: Flags; org: string | undefined },
  use: (own: OwnMaintenances) => Promise<Result>,
): Promise<Result> {
  return withAuthor(flags, async (store, now) => {
    const organizationId = await ownOrganization(store, org);
    const { maintenances } = store;
    return use({
      list: async () => (await maintenances.list(organizationId, now)).map(shownMaintenance),
      async start(request, duration) {
        const parsed = parse(NewMaintenance, { ...request, ...windowFrom(now, duration) }, "");
        return shownMaintenance(await maintenances.create(organizationId, parsed, now));
      },
      end: async (id) =>
        shownMaintenance(await naming("maintenance", id, maintenances.end(organizationId, id, now))),
    });
  });
}

function windowFrom(now: number, duration: number) {
  return { startsAt: iso(now), endsAt: iso(now + duration) };
}

/** A part of the answers of the API, whose other fields are printed too. */
const ShownSchema = Type.Unsafe<Shown>(
  Type.Object({ id: Type.String(), state: Type.String(), selector: Type.Object({}) }),
);

function behindServer({ request, now }: ReturnType<typeof createServerClient>): OwnMaintenances {
  const list = () => request("maintenances", { data: Type.Array(ShownSchema), method: "GET" });
  return {
    list,
    async start(wanted, duration) {
      // Its answer has the time of the server.
      await list();
      const body = JSON.stringify({ ...wanted, ...windowFrom(now(), duration) });
      return request("maintenances", { data: ShownSchema, method: "POST", body });
    },
    end: (id) =>
      request(`maintenances/${encodeURIComponent(id)}/end`, {
        data: ShownSchema,
        method: "POST",
        missing: `there is no maintenance with the ID ${JSON.stringify(id)}`,
      }),
  };
}
