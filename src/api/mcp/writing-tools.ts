import { type Static, Type } from "@sinclair/typebox";
import { kindOf, type ObjectKind } from "../../domain/configuration/plan.ts";
import { NewMaintenance } from "../../domain/maintenance/request.ts";
import { BulkSelector } from "../../domain/monitors/bulk/bulk-request.ts";
import { pick } from "../../domain/pick.ts";
import { closed, oneOf } from "../../domain/schemas/schema.ts";
import { invalid } from "../../errors.ts";
import { type ApiClient, ApiFault } from "./api-client.ts";
import { type Confirmation, type Foreseen, hashOf } from "./confirmation.ts";
import { firstOf, NOTES, reading, type Tool, type ToolContext, withoutNulls } from "./tool.ts";

/** The tools that write, and `plan`, which is the dry run of `apply`. */
export function writingTools({ writing }: Confirmation): Tool[] {
  const apply = writing({
    name: "apply",
    title: "Apply a configuration document",
    description:
      "Gives the organization what a configuration document says: it creates and updates channels, monitors, maintenances and pages by " +
      "`ref`, and deletes others only with `prune`. Call `plan` first.",
    isDestructive: true,
    isIdempotent: true,
    schema: Planned,
    foresee: foreseeApply,
  });
  const switching = { isIdempotent: true, schema: Type.Object(chosen, closed) };
  return [
    plan,
    apply,
    writing({
      ...switching,
      name: "pause",
      title: "Pause monitors",
      description:
        "Pauses one monitor, or all that a selector names: they are not checked until they are resumed.",
      isDestructive: true,
      foresee: (given, context) => foreseeSwitch(given, { api: context.api, enabled: false }),
    }),
    writing({
      ...switching,
      name: "resume",
      title: "Resume monitors",
      description: "Resumes one paused monitor, or all that a selector names.",
      isDestructive: false,
      foresee: (given, context) => foreseeSwitch(given, { api: context.api, enabled: true }),
    }),
    writing({
      name: "acknowledge",
      title: "Acknowledge an outage",
      description:
        "Says that somebody takes care of an open outage: its reminders end. A second one replaces the note.",
      isDestructive: false,
      isIdempotent: true,
      schema: Acknowledged,
      foresee: foreseeAcknowledgement,
    }),
    writing({
      name: "maintenance",
      title: "Plan a maintenance",
      description:
        "Creates one window, with `startsAt` and `endsAt`, or one at each run of `cron`, with `duration`: in it, changes of the status are " +
        "not notified.",
      isDestructive: false,
      isIdempotent: false,
      schema: NewMaintenance,
      foresee: foreseeMaintenance,
    }),
  ];
}

const Planned = Type.Object(
  {
    document: Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          "A configuration document, whose JSON Schema is at `/schema/config.json`: `monitors` is a map from ref to monitor, such as " +
          '`{ "monitors": { "shop": { "type": "HTTP", "config": { "url": "https://shop.example.com/", "interval": 60 } } } }`.',
      },
    ),
    prune: Type.Optional(
      Type.Union([Type.Boolean(), oneOf(["true", "false", "all"])], {
        description:
          "Whether to delete what has a `ref` that the document lacks. `true` refuses to delete more than a fifth of at least 10 of a " +
          "kind. Default: false.",
      }),
    ),
  },
  closed,
);

const plan: Tool = {
  ...reading({
    name: "plan",
    title: "Plan a configuration document",
    description:
      "What `apply` would create, update and delete with the same arguments, and the `confirm` for it. It writes nothing.",
    schema: Planned,
    read: async () => ({}),
  }),
  async call(given, context) {
    const { shown, data } = await foreseeApply(given as Static<typeof Planned>, context);
    const { organizationId } = context;
    return { note: NOTES.planned, data, confirm: hashOf({ tool: "apply", given, organizationId, shown }) };
  },
};

interface Change {
  action: "create" | "update" | "delete";
  kind: ObjectKind;
  ref: string;
  fields: string[];
}

async function foreseeApply(
  { document, prune = false }: Static<typeof Planned>,
  { api }: ToolContext,
): Promise<Foreseen> {
  const send = async (dryRun: boolean) => {
    const query = { dryRun: String(dryRun), prune: String(prune) };
    return (await api.post<{ data: { changes: Change[] } }>("/apply", document, { query })).data;
  };
  const changes = await withPresent((await send(true)).changes, api);
  return {
    shown: changes,
    data: shownChanges(changes),
    write: async () => shownChanges((await send(false)).changes),
  };
}

/** A stored object, in the words of a document. */
type Entry = Record<string, unknown>;

const sectionOf = new Map(Object.entries(kindOf).map(([section, kind]) => [kind, section]));

/**
 * The changes with the present values of the fields that change, so that one confirmation never replaces a value that nobody has seen.
 * A default is null, and a secret a placeholder.
 */
async function withPresent(changes: Change[], api: ApiClient): Promise<Change[]> {
  if (changes.every(({ action }) => action === "create")) return changes;
  const { data } = await api.get<{ data: { document: Record<string, Record<string, Entry>> } }>("/export");
  return changes.map((change) => {
    const entry = data.document[sectionOf.get(change.kind) ?? ""]?.[change.ref];
    if (change.action === "create" || !entry) return change;
    const fields = change.action === "delete" ? Object.keys(entry) : change.fields;
    return { ...change, present: Object.fromEntries(fields.map((name) => [name, valueAt(entry, name)])) };
  });
}

/** @param field such as `tags`, or `config.url` */
function valueAt(entry: Entry, field: string): unknown {
  const dot = field.indexOf(".");
  if (dot < 0) return entry[field] ?? null;
  const inner = entry[field.slice(0, dot)] as Entry | undefined;
  return inner?.[field.slice(dot + 1)] ?? null;
}

function shownChanges(changes: Change[]): object {
  const countOf = (wanted: Change["action"]) => changes.filter(({ action }) => action === wanted).length;
  const { items, more } = firstOf(changes);
  return {
    counts: { create: countOf("create"), update: countOf("update"), delete: countOf("delete") },
    changes: items,
    moreChanges: more,
  };
}

const chosen = {
  monitorId: Type.Optional(Type.String({ description: "The ID of a monitor. Not with `selector`." })),
  selector: Type.Optional({
    ...BulkSelector,
    description: "The monitors that any part of it names. Not with `monitorId`.",
  }),
};

interface BulkOutcome {
  matched: number;
  changedCount: number;
  changed: { id: string; name: string }[];
  refusedCount: number;
  refused: object[];
}

async function foreseeSwitch(
  { monitorId, selector }: { monitorId?: string; selector?: BulkSelector },
  { api, enabled }: { api: ApiClient; enabled: boolean },
): Promise<Foreseen> {
  if ((monitorId === undefined) === (selector === undefined))
    throw invalid("either monitorId or selector is required, and not both");
  const body = { selector: selector ?? { monitorIds: [monitorId] }, change: { enabled } };
  const send = async (more: object, dryRun: boolean) => {
    const query = { dryRun: String(dryRun) };
    return (await api.post<{ data: BulkOutcome }>("/monitors/bulk", { ...body, ...more }, { query })).data;
  };
  const tried = await send({}, true).catch((error: unknown) => {
    throw monitorId === undefined ? error : ofMonitorId(error);
  });
  return {
    shown: tried,
    data: shownOutcome(tried),
    write: async () => shownOutcome(await send({ expectedMatched: tried.matched }, false)),
  };
}

/** The fault of a selector with one ID, by the name of the argument. */
function ofMonitorId(error: unknown): unknown {
  if (!(error instanceof ApiFault)) return error;
  const { status, body } = error;
  return new ApiFault(status, { ...body, error: body.error.replace("selector.monitorIds.0", "monitorId") });
}

function shownOutcome({ matched, changedCount, changed, refusedCount, refused }: BulkOutcome): object {
  const { items } = firstOf(changed);
  const refusals = firstOf(refused).items;
  return {
    ...{ matched, changedCount, changed: items.map(({ id, name }) => ({ monitorId: id, name })) },
    moreChanged: changedCount - items.length,
    ...(refusedCount > 0 && { refusedCount, refused: refusals, moreRefused: refusedCount - refusals.length }),
  };
}

const Acknowledged = Type.Object(
  {
    outageId: Type.String({ description: "The ID of an open outage." }),
    note: Type.Optional(Type.String({ format: "note", description: "Up to 500 characters." })),
  },
  closed,
);

/** Without what changes by itself, such as how long the outage is. */
const OUTAGE = [
  ...([
    "id",
    "monitor",
    "status",
    "reason",
    "startedAt",
    "acknowledgedAt",
    "acknowledgedBy",
    "note",
  ] as const),
];
type OutageItem = Record<(typeof OUTAGE)[number], unknown>;

async function foreseeAcknowledgement(
  { outageId, note }: Static<typeof Acknowledged>,
  { api }: ToolContext,
): Promise<Foreseen> {
  const path = `/outages/${encodeURIComponent(outageId)}`;
  const send = async (options?: { isTried: true }) => {
    const body = { ...(note !== undefined && { note }) };
    return shownOutage((await api.post<{ data: OutageItem }>(`${path}/acknowledge`, body, options)).data);
  };
  await send({ isTried: true });
  const outage = shownOutage((await api.get<{ data: OutageItem }>(path)).data);
  return { shown: outage, data: { acknowledges: outage, note: note ?? null }, write: send };
}

function shownOutage(outage: OutageItem) {
  const { id, ...rest } = pick(outage, OUTAGE);
  return { outageId: id, ...rest };
}

type MaintenanceItem = Static<typeof NewMaintenance> & { id: string };

async function foreseeMaintenance(
  given: Static<typeof NewMaintenance>,
  { api }: ToolContext,
): Promise<Foreseen> {
  const send = async (options?: { isTried: true }) =>
    (await api.post<{ data: MaintenanceItem }>("/maintenances", given, options)).data;
  const created = pick(await send({ isTried: true }), PLANNED_FIELDS);
  const body = { selector: given.selector, change: { enabled: true } };
  const [monitors, others] = await Promise.all([
    api.post<{ data: BulkOutcome }>("/monitors/bulk", body, { query: { dryRun: "true" } }),
    api.get<{ data: MaintenanceItem[] }>("/maintenances"),
  ]);
  const { matched } = monitors.data;
  const equal = others.data.filter(({ title }) => title === created.title).map(({ id }) => id);
  return {
    // With the others, so that one confirmation creates one maintenance.
    shown: { created, matched, others: others.data.map(({ id }) => id) },
    data: {
      creates: withoutNulls(created),
      matchedMonitors: matched,
      existingMaintenances: others.data.length,
      ofTheSameTitle: firstOf(equal).items,
    },
    write: async () => withoutNulls(await send()),
  };
}

/** Without what changes with the time. */
const PLANNED_FIELDS = [
  ...([
    "title",
    "message",
    "selector",
    "startsAt",
    "endsAt",
    "cron",
    "timezone",
    "duration",
    "until",
  ] as const),
  ...(["notifyChannelIds", "notifySubscribers", "ref"] as const),
];
