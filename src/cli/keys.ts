import { type Static, Type } from "@sinclair/typebox";
import { Command, Option } from "commander";
import { type Flags, remoteSettings, storeSettings } from "../config.ts";
import { ROLES, type Role } from "../domain/accounts/role.ts";
import { iso, isoOrNull, parseTime } from "../domain/iso-time.ts";
import { PersonName, Time } from "../domain/schemas/format.ts";
import { nullable } from "../domain/schemas/schema.ts";
import { parse } from "../domain/schemas/validation.ts";
import { visible } from "../log.ts";
import { createKey } from "../store/ids.ts";
import { createServerClient } from "./configuration-client.ts";
import { findRemote, remoteFor } from "./context.ts";
import {
  accessHelp,
  naming,
  ownOrganization,
  printJson,
  say,
  warn,
  withAuthor,
  withSettings,
  withStore,
} from "./options.ts";
import { printRows, timeCell, withJson } from "./table.ts";

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
  return withAccess(command).action(async ({ name, org, role, expiresAt, ...flags }: CreateOptions) => {
    const values = { name: parse(PersonName, name, "--name").trim(), role };
    const expiry = parseExpiry(expiresAt);
    const remote = remoteFor(flags, org);
    const { id, key } = remote
      ? await createServerClient(remote, warn).request("api-keys", {
          data: Type.Object({ id: Type.String(), key: Type.String() }),
          method: "POST",
          body: JSON.stringify({ ...values, expiresAt: isoOrNull(expiry) }),
        })
      : await createStored({ ...values, expiresAt: expiry }, flags, org);
    say(`Created the ${role} key ${id}. It is shown only once:`);
    process.stdout.write(`${visible(key)}\n`);
  });
}

function createStored(
  values: { name: string; role: Role; expiresAt: number | null },
  flags: Flags,
  org: string | undefined,
): Promise<{ id: string; key: string }> {
  const key = createKey();
  return withAuthor(flags, async (store, now) => {
    const organizationId = await ownOrganization(store, org);
    const { id } = await store.apiKeys.create({ ...values, key, organizationId }, now);
    return { id, key };
  });
}

function withAccess(command: Command): Command {
  return withSettings(command, [...remoteSettings, ...storeSettings], accessHelp);
}

/** A part of the answers of the API, whose other fields are printed too. */
const Listed = Type.Object({
  id: Type.String(),
  name: Type.String(),
  role: Type.String(),
  expiresAt: nullable(Type.String()),
  lastUsedAt: nullable(Type.String()),
});
type Listed = Static<typeof Listed>;

const COLUMNS = {
  NAME: ({ name }: Listed) => name,
  ROLE: ({ role }: Listed) => role,
  "EXPIRES (UTC)": ({ expiresAt }: Listed) => timeCell(expiresAt),
  "LAST USED (UTC)": ({ lastUsedAt }: Listed) => timeCell(lastUsedAt),
  ID: ({ id }: Listed) => id,
};

function listCommand(): Command {
  const command = new Command("list")
    .description("list the API keys")
    .option("--org <ID>", "only the keys of one organization");
  return withJson(withAccess(command)).action(
    async ({ org, json, ...flags }: { org?: string; json?: true } & Flags) => {
      const remote = remoteFor(flags, org);
      const keys = remote
        ? await createServerClient(remote, warn).request("api-keys", {
            data: Type.Array(Listed),
            method: "GET",
          })
        : await listStored(flags, org);
      await printRows(keys, COLUMNS, json);
    },
  );
}

async function listStored(flags: Flags, org: string | undefined) {
  const keys = await naming(
    "organization",
    org ?? "",
    withStore(flags, (store) => store.apiKeys.list(org)),
  );
  return keys.map((key) => ({
    ...key,
    expiresAt: isoOrNull(key.expiresAt),
    lastUsedAt: isoOrNull(key.lastUsedAt),
    createdAt: iso(key.createdAt),
  }));
}

function revokeCommand(): Command {
  const command = new Command("revoke")
    .description("delete an API key; it is rejected immediately")
    .argument("<ID>");
  return withAccess(command).action(async (id: string, flags: Flags) => {
    const remote = findRemote(flags);
    const deletion = remote
      ? createServerClient(remote, warn).request(`api-keys/${encodeURIComponent(id)}`, {
          data: Type.Object({ id: Type.String() }),
          method: "DELETE",
          missing: `there is no key with the ID ${JSON.stringify(id)}`,
        })
      : naming(
          "key",
          id,
          withAuthor(flags, ({ apiKeys }) => apiKeys.delete(id)),
        );
    printJson(await deletion);
  });
}

function parseExpiry(text: string | undefined): number | null {
  return text === undefined ? null : parseTime(parse(Time, text, "--expires-at"));
}
