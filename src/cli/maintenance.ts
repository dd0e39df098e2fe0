import { Command, Option } from "commander";
import { type Flags, storeSettings, UsageError } from "../config.ts";
import { parseDuration } from "../domain/duration.ts";
import { iso } from "../domain/iso-time.ts";
import { type Maintenance, shownMaintenance } from "../domain/maintenance/maintenance.ts";
import { NewMaintenance } from "../domain/maintenance/request.ts";
import type { Selector } from "../domain/monitors/selector.ts";
import { parse } from "../domain/schemas/validation.ts";
import { AppError } from "../errors.ts";
import type { Store } from "../store/store.ts";
import { naming, ownOrganization, printJson, withAuthor, withOrganization, withSettings } from "./options.ts";

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
  return withSettings(withOrganization(command), storeSettings).action(
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
      const created = await withOwnMaintenances({ flags, org }, ({ maintenances, organizationId, now }) => {
        const [startsAt, endsAt] = [iso(now), iso(now + duration)];
        const request = parse(NewMaintenance, { title, selector, startsAt, endsAt }, "");
        return maintenances.create(organizationId, request, now);
      }).catch(nameFlag);
      printJson(shownMaintenance(created));
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
  return withSettings(withOrganization(command), storeSettings).action(
    async (id: string | undefined, { tag, org, ...flags }: EndOptions) => {
      if (id !== undefined && tag) throw new UsageError("give an ID or --tag, not both");
      const ended = await withOwnMaintenances(
        { flags, org },
        async ({ maintenances, organizationId, now }) => {
          const ids = id === undefined ? toEnd(await maintenances.list(organizationId, now), tag) : [id];
          const all: Maintenance[] = [];
          for (const one of ids)
            all.push(await naming("maintenance", one, maintenances.end(organizationId, one, now)));
          return all;
        },
      );
      printJson(ended.map(shownMaintenance));
    },
  );
}

/** @throws AppError `refused` if no open maintenance is meant, or not clearly one */
function toEnd(maintenances: Maintenance[], tags: string[] | undefined): string[] {
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

function listCommand(): Command {
  const command = new Command("list").description("list the maintenances as JSON");
  return withSettings(withOrganization(command), storeSettings).action(
    async ({ org, ...flags }: { org?: string } & Flags) => {
      const maintenances = await withOwnMaintenances({ flags, org }, (own) =>
        own.maintenances.list(own.organizationId, own.now),
      );
      printJson(maintenances.map(shownMaintenance));
    },
  );
}

/** An option that may be repeated. */
function listOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((value: string, previous: string[] | undefined) => [
    ...(previous ?? []),
    value,
  ]);
}

interface OwnMaintenances extends Pick<Store, "maintenances"> {
  organizationId: string;
  now: number;
}

function withOwnMaintenances<Result>(
  { flags, org }: { flags: Flags; org: string | undefined },
  use: (own: OwnMaintenances) => Promise<Result>,
): Promise<Result> {
  return withAuthor(flags, async (store, now) => {
    const organizationId = await ownOrganization(store, org);
    return use({ maintenances: store.maintenances, organizationId, now });
  });
}
