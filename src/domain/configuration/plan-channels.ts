import { AppError } from "../../errors.ts";
import { parseChannelConfig } from "../alerts/channel.ts";
import { pick } from "../pick.ts";
import { fieldOf } from "../schemas/field-name.ts";
import { assertSameType } from "../schemas/ref.ts";
import { asFault, type Fault } from "./fault.ts";
import { changedFieldsOf } from "./field-names.ts";
import type { ParsedChannel, ParsedDocument } from "./parsed-document.ts";
import type { PlannedChannel, Step } from "./plan.ts";
import { byRef, type StoredChannel, type StoredConfiguration } from "./stored-configuration.ts";

export function planChannels(
  { channels }: ParsedDocument,
  stored: StoredConfiguration,
): { steps: Step<PlannedChannel>[]; faults: Fault[] } {
  const known = byRef(stored.channels);
  const [steps, faults]: [Step<PlannedChannel>[], Fault[]] = [[], []];
  for (const [ref, entry] of channels) {
    try {
      const step = planChannel(ref, entry, known.get(ref));
      if (step) steps.push(step);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      faults.push(asFault(error, fieldOf("channels", ref)));
    }
  }
  return { steps, faults };
}

/** @returns undefined if nothing changes @throws AppError `invalid` for another type, or for a secret that is not stored */
function planChannel(
  ref: string,
  entry: ParsedChannel,
  before: StoredChannel | undefined,
): Step<PlannedChannel> | undefined {
  if (before) assertSameType(before.type, entry.type);
  const values = { ...entry, config: parseChannelConfig(entry.type, entry.config, before?.config) };
  if (!before) return { ref, id: null, fields: entry.given, values };
  const fields = changedFieldsOf<Compared>(pick(before, COMPARED), pick(values, COMPARED));
  return fields.length > 0 ? { ref, id: before.id, fields, values } : undefined;
}

const COMPARED = ["name", "config", "enabled", "notifyOn"] as const;
type Compared = Pick<PlannedChannel, (typeof COMPARED)[number]>;
