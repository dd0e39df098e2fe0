import { Command, Option } from "commander";
import { type Flags, storeSettings } from "../config.ts";
import { ROLES, type Role } from "../domain/accounts/role.ts";
import { parseTime } from "../domain/iso-time.ts";
import { Name, Time } from "../domain/schemas/format.ts";
import { parse } from "../domain/schemas/validation.ts";
import { createKey } from "../store/ids.ts";
import {
  commandAuthor,
  naming,
  ownOrganization,
  printJson,
  say,
  withSettings,
  withStore,
} from "./options.ts";

export function keysCommand(): Command {
  return new Command("keys")
    .description("create, list and revoke API keys")
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(revokeCommand());
}

interface CreateOptions extends Flags {
  name: string;
  org?: string;
  role: Role;
  expiresAt?: string;
}

function createCommand(): Command {
  const command = new Command("create")
    .description("create an API key; it is printed once, alone on standard output")
    .requiredOption("--name <NAME>", "what the key is for")
    .option("--org <ID>", "its organization; optional while there is exactly one")
    .addOption(new Option("--role <ROLE>", "its role").choices(ROLES).default("owner"))
    .option("--expires-at <ISO>", "when it expires, such as 2027-01-31T00:00:00Z; default: never");
  return withSettings(command, storeSettings).action(
    ({ name, org, role, expiresAt, ...flags }: CreateOptions) => {
      const key = createKey();
      const values = {
        name: parse(Name, name, "--name").trim(),
        role,
        key,
        expiresAt: parseExpiry(expiresAt),
      };
      return withStore(flags, async (store) => {
        const organizationId = await ownOrganization(store, org);
        const author = await commandAuthor(store);
        const { id } = await store.as(author).apiKeys.create({ ...values, organizationId }, author.at);
        say(`Created the ${role} key ${id}. It is shown only once:`);
        process.stdout.write(`${key}\n`);
      });
    },
  );
}

function listCommand(): Command {
  const command = new Command("list")
    .description("list the API keys as JSON")
    .option("--org <ID>", "only the keys of one organization");
  return withSettings(command, storeSettings).action(async ({ org, ...flags }: { org?: string } & Flags) => {
    const keys = await naming(
      "organization",
      org ?? "",
      withStore(flags, (store) => store.apiKeys.list(org)),
    );
    printJson(keys.map((key) => ({ ...key, ...timesOf(key) })));
  });
}

function revokeCommand(): Command {
  const command = new Command("revoke")
    .description("delete an API key; it is rejected immediately")
    .argument("<ID>");
  return withSettings(command, storeSettings).action(async (id: string, flags: Flags) => {
    const deletion = withStore(flags, async (store) =>
      store.as(await commandAuthor(store)).apiKeys.delete(id),
    );
    printJson(await naming("key", id, deletion));
  });
}

function parseExpiry(text: string | undefined): number | null {
  return text === undefined ? null : parseTime(parse(Time, text, "--expires-at"));
}

function timesOf(key: { expiresAt: number | null; lastUsedAt: number | null; createdAt: number }) {
  const iso = (time: number | null) => time && new Date(time).toISOString();
  return { expiresAt: iso(key.expiresAt), lastUsedAt: iso(key.lastUsedAt), createdAt: iso(key.createdAt) };
}
