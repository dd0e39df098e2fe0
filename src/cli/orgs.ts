import { Command, Option } from "commander";
import { type Flags, storeSettings, UsageError } from "../config.ts";
import {
  type Organization,
  PLANS,
  type Plan,
  SUBSCRIPTIONS,
  type Subscription,
} from "../domain/accounts/organization.ts";
import { Name } from "../domain/schemas/format.ts";
import { parse } from "../domain/schemas/validation.ts";
import {
  createsDataDir,
  naming,
  printJson,
  timeOf,
  withAuthor,
  withCreatedStore,
  withSettings,
  withStore,
} from "./options.ts";
import { printRows, withJson } from "./table.ts";

export function orgsCommand(): Command {
  return new Command("orgs")
    .description("create, list and update organizations")
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(updateCommand());
}

interface Terms {
  plan: Plan;
  subscription: Subscription;
}

function createCommand(): Command {
  const command = new Command("create")
    .description("create an organization and print it as JSON")
    .argument("<NAME>")
    .addOption(planOption().default("enterprise"))
    .addOption(subscriptionOption().default("active"));
  return withSettings(command, storeSettings, createsDataDir).action(
    async (name: string, { plan, subscription, ...flags }: Terms & Flags) => {
      const values = { name: parse(Name, name, "NAME").trim(), plan, subscription };
      printJson(
        await withCreatedStore(flags, async (store) =>
          store.organizations.create(values, await timeOf(store)),
        ),
      );
    },
  );
}

function listCommand(): Command {
  const command = new Command("list").description("list the organizations");
  return withJson(withSettings(command, storeSettings)).action(
    async ({ json, ...flags }: { json?: true } & Flags) => {
      const organizations = await withStore(flags, (store) => store.organizations.list());
      await printRows(organizations, COLUMNS, json);
    },
  );
}

const COLUMNS = {
  NAME: ({ name }: Organization) => name,
  PLAN: ({ plan }: Organization) => plan,
  SUBSCRIPTION: ({ subscription }: Organization) => subscription,
  ID: ({ id }: Organization) => id,
};

function updateCommand(): Command {
  const command = new Command("update")
    .description("update an organization and print it as JSON")
    .argument("<ID>")
    .option("--name <NAME>", "its new name")
    .addOption(planOption())
    .addOption(subscriptionOption());
  return withSettings(command, storeSettings).action(
    async (
      id: string,
      { name, plan, subscription, ...flags }: Partial<Terms> & { name?: string } & Flags,
    ) => {
      const terms = { ...(plan && { plan }), ...(subscription && { subscription }) };
      const changes = { ...terms, ...(name !== undefined && { name: parse(Name, name, "--name").trim() }) };
      if (Object.keys(changes).length === 0) {
        throw new UsageError("give what to change: --name, --plan or --subscription");
      }
      const update = withAuthor(flags, ({ organizations }) => organizations.update(id, changes));
      printJson(await naming("organization", id, update));
    },
  );
}

function planOption(): Option {
  return new Option("--plan <PLAN>", "its plan").choices(PLANS);
}

function subscriptionOption(): Option {
  return new Option("--subscription <STATE>", "its subscription").choices(SUBSCRIPTIONS);
}
