import { type Static, Type } from "@sinclair/typebox";
import { Command, Option } from "commander";
import { type Flags, remoteSettings, type SettingName, storeSettings, UsageError } from "../config.ts";
import { ROLES, type Role } from "../domain/accounts/role.ts";
import { personBody } from "../domain/people/person.ts";
import { Email, PersonName } from "../domain/schemas/format.ts";
import { nullable } from "../domain/schemas/schema.ts";
import { parse } from "../domain/schemas/validation.ts";
import { createPersonToken } from "../store/ids.ts";
import { createServerClient } from "./configuration-client.ts";
import { findRemote, remoteFor } from "./context.ts";
import {
  accessHelp,
  configOf,
  naming,
  ownOrganization,
  printJson,
  say,
  warn,
  withAuthor,
  withOrganization,
  withSettings,
  withStore,
} from "./options.ts";
import { printRows, timeCell, withJson } from "./table.ts";

export function peopleCommand(): Command {
  return new Command("people")
    .description("invite, list and disable the people who sign in to the page, and create sign-in links")
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(disableCommand())
    .addCommand(linkCommand());
}

/** For the commands that print an address of the server. */
const linkSettings: SettingName[] = [...storeSettings, "baseUrl", "port"];

interface CreateOptions extends Flags {
  email: string;
  role: Role;
  name?: string;
  org?: string;
}

function createCommand(): Command {
  const command = new Command("create")
    .description(
      "invite a person, and print them as JSON with the URL of the invitation, which is shown once",
    )
    .requiredOption("--email <EMAIL>", "their e-mail address")
    .addOption(new Option("--role <ROLE>", "their role").choices(ROLES).makeOptionMandatory())
    .option("--name <NAME>", "their name; they may change it");
  return withSettings(withOrganization(command), [...remoteSettings, ...linkSettings], accessHelp).action(
    ({ email, role, name, org, ...flags }: CreateOptions) => {
      const token = createPersonToken();
      const values = {
        email: parse(Email, email, "--email"),
        name: name === undefined ? undefined : parse(PersonName, name, "--name").trim(),
      };
      const client = clientFor(flags, org);
      if (client) {
        const body = JSON.stringify({ ...values, role });
        return client.request("people", { data: ListedPerson, method: "POST", body }).then(printJson);
      }
      return withAuthor(flags, async (store, now) => {
        const organizationId = await ownOrganization(store, org);
        const person = await store.people.create({ ...values, role, organizationId, token }, now);
        printJson({ ...personBody(person), inviteUrl: urlOf(flags, token) });
      });
    },
  );
}

function listCommand(): Command {
  const command = withOrganization(new Command("list").description("list the people of an organization"));
  return withJson(withSettings(command, [...remoteSettings, ...storeSettings], accessHelp)).action(
    async ({ org, json, ...flags }: { org?: string; json?: true } & Flags) => {
      const client = clientFor(flags, org);
      const people = client
        ? await client.request("people", { data: Type.Array(ListedPerson), method: "GET" })
        : await withStore(flags, async (store) =>
            (await store.people.list(await ownOrganization(store, org))).map(personBody),
          );
      await printRows(people, COLUMNS, json);
    },
  );
}

/** The server of a command, if it uses one. */
function clientFor(flags: Flags, org?: string) {
  const remote = remoteFor(flags, org);
  return remote && createServerClient(remote, warn);
}

/** A part of the answers of the API, whose other fields are printed too. */
const ListedPerson = Type.Object({
  id: Type.String(),
  name: nullable(Type.String()),
  email: Type.String(),
  role: Type.String(),
  state: Type.String(),
  lastSeenAt: nullable(Type.String()),
});
type ListedPerson = Static<typeof ListedPerson>;

const COLUMNS = {
  NAME: ({ name }: ListedPerson) => name ?? "-",
  EMAIL: ({ email }: ListedPerson) => email,
  ROLE: ({ role }: ListedPerson) => role,
  STATE: ({ state }: ListedPerson) => state,
  "LAST SEEN (UTC)": ({ lastSeenAt }: ListedPerson) => timeCell(lastSeenAt),
  ID: ({ id }: ListedPerson) => id,
};

function disableCommand(): Command {
  const command = withOrganization(
    new Command("disable")
      .description("disable a person in an organization; their sessions there end at once")
      .argument("<ID>"),
  );
  return withSettings(command, [...remoteSettings, ...storeSettings], accessHelp).action(
    (id: string, { org, ...flags }: { org?: string } & Flags) => {
      const client = clientFor(flags, org);
      if (client) {
        const disabling = {
          ...{ data: ListedPerson, method: "PATCH", body: JSON.stringify({ state: "disabled" }) },
          missing: `there is no person with the ID ${JSON.stringify(id)}`,
        };
        return client.request(`people/${encodeURIComponent(id)}`, disabling).then(printJson);
      }
      return withAuthor(flags, async (store) => {
        const organizationId = await ownOrganization(store, org);
        const disabled = store.people.update(organizationId, id, { state: "disabled" });
        printJson(personBody(await naming("person", id, disabled)));
      });
    },
  );
}

const NEEDS_DATABASE =
  "stillup people link works only on the machine of the server: give its database with --data-dir or --database-url";

function linkCommand(): Command {
  const command = new Command("link")
    .description(
      "print a link, valid once and for an hour, with which a person sets a new password; their sessions then end, and their passkeys and linked identities are removed",
    )
    .argument("<ID>");
  return withSettings(command, linkSettings).action((personId: string, flags: Flags) => {
    // A link counts for all organizations of the person, and a key only for one.
    if (findRemote(flags)) throw new UsageError(NEEDS_DATABASE);
    const token = createPersonToken();
    return withAuthor(flags, async (store, now) => {
      const created = store.people.createLink({ personId, token }, now);
      const { email } = await naming("person", personId, created);
      say(`A link for ${email}. It works once, within an hour:`);
      process.stdout.write(`${urlOf(flags, token)}\n`);
    });
  });
}

function urlOf(flags: Flags, token: string): string {
  const { baseUrl, port } = configOf(flags);
  return `${baseUrl ?? `http://localhost:${port}`}/invite/${token}`;
}
