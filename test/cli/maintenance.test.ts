import { afterEach, beforeEach, expect, test } from "bun:test";
import { commandsOfNewDatabase } from "../support/product/command.ts";

const MINUTE = 60_000;

let commands: Awaited<ReturnType<typeof commandsOfNewDatabase>>;
let organization: string;

beforeEach(async () => {
  commands = await commandsOfNewDatabase();
  organization = (await commands.printed("orgs", "create", "Acme")).id;
});

afterEach(() => commands[Symbol.asyncDispose]());

const printed = (...args: string[]) => commands.printed("maintenance", ...args);

test("behavior 14.49: a maintenance is started, listed and ended, as JSON", async () => {
  const started = await printed(
    "start",
    "--for",
    "1h30m",
    "--title",
    "Deploy",
    "--tag",
    "web",
    "--tag",
    "eu",
  );
  expect(started).toMatchObject({
    title: "Deploy",
    selector: { tags: ["web", "eu"] },
    state: "active",
    cron: null,
  });
  expect(Date.parse(started.endsAt) - Date.parse(started.startsAt)).toBe(90 * MINUTE);
  const everything = await printed("start", "--for", "2m", "--all", "--org", organization);
  expect(everything).toMatchObject({ title: "Maintenance", selector: { all: true } });
  expect((await printed("list")).map(({ id }: { id: string }) => id)).toEqual([started.id, everything.id]);
  const ended = await printed("end", "--tag", "eu", "--tag", "web");
  expect(ended.map(({ id, state }: { id: string; state: string }) => [id, state])).toEqual([
    [started.id, "ended"],
  ]);
  // The only open one.
  expect((await printed("end"))[0].id).toBe(everything.id);
  expect((await printed("list")).map(({ state }: { state: string }) => state)).toEqual(["ended", "ended"]);
  const { items } = await audited();
  expect(items.map(({ action, actor, changed }) => [action, actor.type, changed.at(-1)])).toEqual([
    ["maintenance.updated", "cli", "endsAt"],
    ["maintenance.updated", "cli", "endsAt"],
    ["maintenance.created", "cli", "endsAt"],
    ["maintenance.created", "cli", "endsAt"],
  ]);
});

test("behavior 14.49: what can't be started or ended is one line, and an exit code", async () => {
  const failure = async (...args: string[]) => {
    const { code, stdout, stderr } = await commands.run("maintenance", ...args);
    expect(stdout).toBe("");
    return [code, stderr.trimEnd()];
  };
  expect(await failure("start", "--for", "soon", "--all")).toEqual([
    2,
    "stillup: --for must be a duration, such as 30m, 2h or 1h30m",
  ]);
  expect(await failure("start", "--for", "99999999d", "--all")).toEqual([
    2,
    "stillup: --for must be at most 36500d",
  ]);
  expect(await failure("start", "--for", "30m")).toEqual([
    2,
    "stillup: give which monitors: --tag, --monitor or --all",
  ]);
  expect(await failure("start", "--for", "30m", "--monitor", "x")).toEqual([
    2,
    "stillup: --monitor is not a monitor of this organization",
  ]);
  expect(await failure("start", "--for", "30m", "--all", "--org", "x")).toEqual([
    1,
    'stillup: there is no organization with the ID "x"',
  ]);
  expect(await failure("end")).toEqual([1, "stillup: no maintenance is open"]);
  expect(await failure("end", "x")).toEqual([1, 'stillup: there is no maintenance with the ID "x"']);
  expect(await failure("end", "--tag", "web")).toEqual([
    1,
    "stillup: no maintenance for exactly the tags web is open",
  ]);
});

async function audited() {
  await using opened = await commands.open();
  return await opened.store.audit.list(organization, { limit: 50 });
}
