import { Command, Option } from "commander";
import { type Flags, storeSettings } from "../config.ts";
import { ROLES, type Role } from "../domain/accounts/role.ts";
import { iso, isoOrNull, parseTime } from "../domain/iso-time.ts";
import { PersonName, Time } from "../domain/schemas/format.ts";
import { parse } from "../domain/schemas/validation.ts";
import { createKey } from "../store/ids.ts";
import { naming, ownOrganization, printJson, say, withAuthor, withSettings, withStore } from "./options.ts";

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
    .description(
      "create an API key, by default one of an owner; it is printed once, alone on standard output",
    )
    .requiredOption("--name <NAME>", "what the key is for")
    .option("--org <ID>", "its organization; optional while there is exactly one")
    .addOption(
      new Option("--role <ROLE>", "its role; owner may do everything, viewer only read")
        .choices(ROLES)
        .default("owner"),
    )
    .option("--expires-at <ISO>", "when it expires, such as 2027-01-31T00:00:00Z; default: never");
  return withSettings(command, storeSettings).action(
    ({ name, org, role, expiresAt, ...flags }: CreateOptions) => {
      const key = createKey();
      const values = {
        name: parse(PersonName, name, "--name").trim(),
        role,
        key,
        expiresAt: parseExpiry(expiresAt),
      };
      return withAuthor(flags, async (store, now) => {
        const organizationId = await ownOrganization(store, org);
        const { id } = await store.apiKeys.create({ ...values, organizationId }, now);
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
    printJson(
      keys.map((key) => ({
        ...key,
        expiresAt: isoOrNull(key.expiresAt),
        lastUsedAt: isoOrNull(key.lastUsedAt),
        createdAt: iso(key.createdAt),
      })),
    );
  });
}

function revokeCommand(): Command {
  const command = new Command("revoke")
    .description("delete an API key; it is rejected immediately")
    .argument("<ID>");
  return withSettings(command, storeSettings).action(async (id: string, flags: Flags) => {
    const deletion = withAuthor(flags, ({ apiKeys }) => apiKeys.delete(id));
    printJson(await naming("key", id, deletion));
  });
}

function parseExpiry(text: string | undefined): number | null {
  return text === undefined ? null : parseTime(parse(Time, text, "--expires-at"));
}
