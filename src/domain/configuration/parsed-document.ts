import type { ChannelType } from "../alerts/channel.ts";
import type { NotifyOn } from "../alerts/notify.ts";
import type { MaintenanceTimes } from "../maintenance/maintenance.ts";
import type { MonitorType } from "../monitors/monitor.ts";
import type { MonitorSettings } from "../monitors/monitor-settings.ts";
import type { Selector } from "../monitors/selector.ts";
import type { Page } from "../pages/page.ts";
import type { NewHistory } from "./history.ts";
import type { Section } from "./stored-configuration.ts";

/*
 * A document whose entries are valid by themselves, completed with the defaults of the document and of the API. Objects are
 * named by refs. What depends on stored objects is not judged yet: refs that the document lacks, secrets that are kept, limits.
 */

/** @property given the names of the fields that the document gives, the fields of a config one by one: `config.url` */
interface Given {
  given: string[];
}

/** @property config as it is given, with `•••` for secrets that are kept */
export interface ParsedChannel extends Given {
  name: string;
  type: ChannelType;
  config: object;
  enabled: boolean;
  notifyOn: NotifyOn;
}

/** @property channel its ref; in seconds: see `NewAlertBinding` */
export interface ParsedBinding {
  channel: string;
  after: number;
  every: number;
}

/** `dependsOn` has refs, `locations` IDs: locations have no refs. */
export interface ParsedMonitor extends Given, MonitorSettings {
  name: string;
  type: MonitorType;
  /** As it is given, with the fields of `defaults.config`, and with `•••` for secrets that are kept. */
  config: object;
  enabled: boolean;
  /** Null: the default channels of the organization. */
  bindings: ParsedBinding[] | null;
  /** The field that the bindings are given by. */
  bindingsField: "alertChannelIds" | "alertBindings";
}

export interface ParsedMaintenance extends Given {
  title: string;
  message: string | null;
  /** With refs of monitors. */
  selector: Selector;
  /** They may be over. */
  times: MaintenanceTimes;
  /** Refs. */
  notifyChannelIds: string[];
}

/** @property monitor its ref */
export interface ParsedComponent {
  monitor: string;
  name: string | null;
  group: string | null;
}

export interface ParsedPage extends Given, Omit<Page, "id" | "ref" | "components"> {
  components: ParsedComponent[];
}

export interface ParsedDocument {
  channels: ReadonlyMap<string, ParsedChannel>;
  monitors: ReadonlyMap<string, ParsedMonitor>;
  maintenances: ReadonlyMap<string, ParsedMaintenance>;
  pages: ReadonlyMap<string, ParsedPage>;
  /** The refs of all entries, also of those with faults. */
  refs: Record<Section, ReadonlySet<string>>;
  /** By ref of the monitor. */
  history: ReadonlyMap<string, NewHistory>;
}
