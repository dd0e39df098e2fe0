import { named } from "../left.ts";
import type { Report } from "../report.ts";
import { listOf, recordOf, textOf } from "../untyped.ts";

/** By the section of the file. */
const SECTIONS: Record<string, string> = {
  remote: "stillup does not show the monitors of another server",
  tunneling: "stillup has no tunnels; a location in the other network can check what is there",
  announcements: "write an incident on a status page",
  security: "stillup has keys of its API, which the page uses too",
  ui: "a status page of stillup has its own settings",
};

/** Says what of the other sections is not taken over. Those that only concern the server of Gatus are not mentioned. */
export function leaveSections(configuration: Record<string, unknown>, report: Report): void {
  for (const suite of listOf(configuration.suites)) {
    const name = textOf(recordOf(suite).name) ?? "unnamed";
    report.leave(named("suite", name), "stillup has no checks in several steps");
  }
  for (const [name, why] of Object.entries(SECTIONS))
    if (configuration[name] !== undefined && configuration[name] !== null) report.leave(name, why);
  const target = textOf(recordOf(recordOf(configuration.connectivity).checker).target);
  if (target !== undefined)
    report.leave("connectivity", `it is a setting of the server: --network-check ${target}`);
}
