import type { Clock } from "../clock.ts";
import type { Flags } from "../config.ts";
import type { ApplyOptions, Change } from "../domain/configuration/plan.ts";
import type { ReplayRequest } from "../domain/replay/changes.ts";
import type { PlannedApply, PresentAlerting } from "../domain/replay/planned-changes.ts";
import type { Replays } from "../runner/replays/replays.ts";
import { remoteFor } from "./context.ts";
import { ownOrganization, warn, withAuthor } from "./options.ts";
import type { ReplayAnswer } from "./replay-client.ts";

/** An organization, in the database or behind a server. */
export interface ConfigurationAccess {
  /** @throws FaultsError if the document can't be applied; then nothing is */
  apply(document: unknown, options: ApplyOptions): Promise<{ changes: Change[] }>;
  export(): Promise<ExportedConfiguration>;
  /** Stores the refs that `export` proposes. */
  setRefs(): Promise<void>;
  /** Reads what a plan changes, as far as its alerting is concerned. */
  readAlerting(apply: Omit<PlannedApply, "present">): Promise<PresentAlerting>;
  /** Tries other settings of alerting on the past (behavior 25.1). */
  replay(request: ReplayRequest): Promise<ReplayAnswer>;
}

/** @property document with texts as they are in a file @property secrets the variables of its secrets */
export interface ExportedConfiguration {
  document: object;
  secrets: string[];
}

/** Uses the server if one is given, else the database (behavior 16.68). */
export async function withConfiguration<Result>(
  { flags, org }: { flags: Flags; org: string | undefined },
  use: (access: ConfigurationAccess) => Promise<Result>,
): Promise<Result> {
  const remote = remoteFor(flags, org);
  if (!remote) return withStoredConfiguration({ flags, org }, use);
  const { createConfigurationClient } = await import("./configuration-client.ts");
  return use(createConfigurationClient(remote, warn));
}

function withStoredConfiguration<Result>(
  { flags, org }: { flags: Flags; org: string | undefined },
  use: (access: ConfigurationAccess) => Promise<Result>,
): Promise<Result> {
  return withAuthor(flags, async (store, now) => {
    const organizationId = await ownOrganization(store, org);
    const { configuration } = store;
    let replays: Replays | undefined;
    return use({
      apply: (document, options) => configuration.apply(organizationId, document, options, now),
      export: () => configuration.export(organizationId, now),
      async setRefs() {
        await configuration.storeRefs(organizationId, now);
      },
      readAlerting: () => configuration.read(organizationId, now),
      async replay(request) {
        const [{ createReplays }, { shownOutcome }] = await Promise.all([
          import("../runner/replays/replays.ts"),
          import("../domain/replay/outcome.ts"),
        ]);
        replays ??= createReplays({ store, clock: clockAt(now) });
        return shownOutcome(await replays.run(organizationId, request));
      },
    });
  });
}

/** The clock of a command, which ends before anything that it has read is too old. */
function clockAt(now: number): Pick<Clock, "now" | "monotonic" | "after"> {
  return { now: () => now, monotonic: () => performance.now(), after: () => () => {} };
}
