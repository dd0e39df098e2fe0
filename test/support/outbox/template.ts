import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EVERY_GROUP, type NotifyOn } from "../../../src/domain/alerts/notify.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { FlappingLocation } from "../store/flapping-location.ts";
import { type TempDir, tempDir } from "../temp-dir.ts";

export const NOW = Date.UTC(2027, 5, 1, 12);

/** In memory if there is such a file system: nothing here depends on how slow a disk is. */
const PARENT = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

export type MonitorKind = "TCP" | "DNS" | "SCHEDULED";

export const DNS_VALUE = "192.0.2.1";

const MONITOR_CONFIGS = {
  TCP: { host: "a.example", port: 1, interval: 60 },
  DNS: { hostname: "a.example", recordType: "A", expected: [DNS_VALUE], interval: 60 },
  SCHEDULED: { interval: 300 },
} as const;

export interface Owner {
  organizationId: string;
  /** The number of its location. */
  location: number;
  plan: "enterprise";
}

export interface NewOutboxMonitor {
  name: string;
  kind: MonitorKind;
  owner: Owner;
}

export function monitorValues({ name, kind }: Pick<NewOutboxMonitor, "name" | "kind">, channelIds: string[]) {
  return { name, type: kind, config: MONITOR_CONFIGS[kind], alertChannelIds: channelIds };
}

export function channelValues(name: string, address: string, notifyOn = EVERY_GROUP) {
  const config = { url: address };
  return { name, type: "WEBHOOK" as const, config, enabled: true, notifyOn };
}

/** The organizations, channels and monitors with which each run begins. */
const CHANNELS: { name: string; organization: string; notifyOn: NotifyOn; isDefault: boolean }[] = [
  { name: "channel 1", organization: "A", notifyOn: EVERY_GROUP, isDefault: true },
  { name: "channel 2", organization: "A", notifyOn: ["down", "healthy"], isDefault: true },
  { name: "channel 3", organization: "B", notifyOn: EVERY_GROUP, isDefault: false },
];
const MONITORS = [
  { name: "the domain", kind: "DNS", organization: "A" },
  { name: "the site", kind: "TCP", organization: "A" },
  { name: "the job", kind: "SCHEDULED", organization: "A" },
  { name: "the other site", kind: "TCP", organization: "B" },
] as const;
export const CHANNEL_NAMES = CHANNELS.map(({ name }) => name);
export const MONITOR_KINDS = MONITORS.map(({ name, kind }) => ({ name, kind }));

export interface Template {
  file: string;
  channels: {
    name: string;
    id: string;
    owner: Owner;
    address: string;
    notifyOn: NotifyOn;
    isDefault: boolean;
  }[];
  monitors: (NewOutboxMonitor & { id: string })[];
}

let created: Promise<Template> | undefined;

/** A database that each run copies, because its creation takes longer than a run. */
export function template(): Promise<Template> {
  created ??= createTemplate();
  return created;
}

async function createTemplate(): Promise<Template> {
  const dir = tempDir(PARENT);
  process.on("exit", () => dir[Symbol.dispose]());
  const store = await openStore({ dataDir: join(dir.path, "data") });
  const owners: Record<string, Owner> = {};
  for (const name of ["A", "B"]) {
    const terms = { name, plan: "enterprise", subscription: "active" } as const;
    const { id: organizationId } = await store.organizations.create(terms, NOW);
    const location = await new FlappingLocation(() => store, organizationId).create(NOW);
    owners[name] = { organizationId, location, plan: terms.plan };
  }
  const ownerOf = (organization: string) => owners[organization] as Owner;
  const channels: Template["channels"] = [];
  for (const { name, organization, notifyOn, isDefault } of CHANNELS) {
    const owner = ownerOf(organization);
    const address = addressOf(name, 1);
    const { id } = await store.channels.create(owner, channelValues(name, address, notifyOn), NOW);
    channels.push({ name, id, owner, address, notifyOn, isDefault });
  }
  for (const owner of Object.values(owners)) {
    const own = channels.filter((channel) => channel.owner === owner && channel.isDefault);
    const defaultAlertChannelIds = own.map(({ id }) => id);
    await store.organizations.updateSettings(owner.organizationId, { defaultAlertChannelIds });
  }
  const monitors: Template["monitors"] = [];
  for (const { organization, ...monitor } of MONITORS) {
    const owner = ownerOf(organization);
    const bound = channels.filter((channel) => channel.owner === owner).map(({ id }) => id);
    const { id } = await store.monitors.create(owner, monitorValues(monitor, bound), NOW);
    monitors.push({ ...monitor, owner, id });
  }
  const file = join(dir.path, "template.db");
  await store.backUp(file);
  await store.close();
  return { file, channels, monitors };
}

/** @param version empty for the beginning of all its addresses */
export function addressOf(channelName: string, version: number | ""): string {
  return `https://${channelName.replace(" ", "-")}.example/${version}`;
}

/** A copy of the template. */
export function copyTemplate({ file }: Template): TempDir & { dataDir: string } {
  const dir = tempDir(PARENT);
  const dataDir = join(dir.path, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  copyFileSync(file, join(dataDir, "stillup.db"));
  return { ...dir, dataDir };
}
