import { requestedTimes } from "../maintenance/request.ts";
import { withoutRepeatedParts } from "../monitors/selector.ts";
import { PAGE_DEFAULTS } from "../pages/page-request.ts";
import { type ComponentEntry, MaintenanceEntry, PageEntry } from "./document.ts";
import { type Fault, faultOf, schemaFaults } from "./fault.ts";
import { givenFieldsOf } from "./field-names.ts";
import type { ParsedComponent, ParsedMaintenance, ParsedPage } from "./parsed-document.ts";

/** Its times are not compared with the present: see `planApply`. @param at the path of the entry */
export function parseMaintenance(
  ref: string,
  value: unknown,
  at: string,
): { entry?: ParsedMaintenance; faults: Fault[] } {
  const wrong = schemaFaults(MaintenanceEntry, value, at);
  if (wrong.length > 0) return { faults: wrong };
  const entry = value as MaintenanceEntry;
  const { title = ref, message = "", selector, notifyChannelIds = [], ...times } = entry;
  const faults = faultOf(at, () => requestedTimes(times));
  if (faults.length > 0) return { faults };
  const parsed = {
    title: title.trim(),
    message: message === "" ? null : message,
    selector: withoutRepeatedParts(selector),
    times: requestedTimes(times),
    notifyChannelIds: [...new Set(notifyChannelIds)],
  };
  return { entry: { ...parsed, given: givenFieldsOf(entry) }, faults };
}

/** @param at the path of the entry */
export function parsePage(ref: string, value: unknown, at: string): { entry?: ParsedPage; faults: Fault[] } {
  const faults = schemaFaults(PageEntry, value, at);
  if (faults.length > 0) return { faults };
  const entry = value as PageEntry;
  const { slug, title = ref, description = "", components = [], ...settings } = entry;
  const parsed = {
    ...PAGE_DEFAULTS,
    ...settings,
    slug,
    title: title.trim(),
    description: description === "" ? null : description,
    components: components.map(asComponent),
  };
  return { entry: { ...parsed, given: givenFieldsOf(entry) }, faults };
}

function asComponent({ monitorId: monitor, name, group }: ComponentEntry): ParsedComponent {
  return { monitor, name: name?.trim() ?? null, group: group?.trim() ?? null };
}
