import type { Organization } from "../accounts/organization.ts";
import type { AlertBinding } from "../alerts/alert-binding.ts";
import type { AlertChannel } from "../alerts/channel.ts";
import type { MaintenanceDefinition } from "../maintenance/maintenance.ts";
import type { Monitor } from "../monitors/monitor.ts";
import type { Page } from "../pages/page.ts";
import type { Section } from "./document.ts";

/*
 * The objects of an organization that a document can describe. Objects name others by ID.
 */

export type StoredChannel = Pick<
  AlertChannel,
  "id" | "ref" | "name" | "type" | "config" | "enabled" | "notifyOn"
>;

export interface StoredMonitor extends Omit<Monitor, "status" | "blindSince" | "createdAt" | "updatedAt"> {
  alertBindings: AlertBinding[];
}

export interface StoredMaintenance extends MaintenanceDefinition {
  ref: string | null;
  message: string | null;
  notifyChannelIds: string[];
}

export interface StoredConfiguration {
  organization: Organization;
  /** The channels of new monitors that specify none. */
  defaultChannelIds: string[];
  /** IDs of the locations of the organization. */
  locationIds: string[];
  /** Each list is oldest first. */
  channels: StoredChannel[];
  monitors: StoredMonitor[];
  maintenances: StoredMaintenance[];
  pages: Page[];
  /** Slugs of a document that pages of other organizations have, or that are reserved for others. */
  foreignSlugs: ReadonlySet<string>;
  /** The push tokens of a document that monitors of other organizations have. */
  foreignTokens: ReadonlySet<string>;
}

export type StoredObject = StoredChannel | StoredMonitor | StoredMaintenance | Page;

/**
 * A name for an object that a document and what is stored have in common: its ref, or for an object without ref its ID after a
 * character that refs don't have.
 */
export type Key = string;

export function keyOf({ ref, id }: { ref: string | null; id: string }): Key {
  return ref ?? `#${id}`;
}

/** The keys of the stored objects of a kind by their IDs. */
export function keysById(objects: readonly Pick<StoredObject, "id" | "ref">[]): Map<string, Key> {
  return new Map(objects.map((object) => [object.id, keyOf(object)]));
}

/** The stored objects of a section by ref. */
export function byRef<One extends StoredObject>(objects: readonly One[]): Map<string, One> {
  return new Map(objects.flatMap((object) => (object.ref === null ? [] : [[object.ref, object] as const])));
}

/** How errors name one object of a section. */
export const nameOfSection: Record<Section, string> = {
  channels: "an alert channel",
  monitors: "a monitor",
  maintenances: "a maintenance",
  pages: "a page",
};
