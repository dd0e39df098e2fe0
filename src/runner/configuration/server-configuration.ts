import type { Clock } from "../../clock.ts";
import { FileFaults, faultLine, type SourceFault } from "../../configuration-file/source-fault.ts";
import type { Author } from "../../domain/accounts/audit.ts";
import { FaultsError } from "../../domain/configuration/history.ts";
import { parseDocument } from "../../domain/configuration/parse-document.ts";
import type { DiscoverSettings } from "../../domain/discovery/settings.ts";
import type { SealPassword } from "../../domain/pages/page-password.ts";
import { omit, pickGiven } from "../../domain/pick.ts";
import { AppError } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import { userName } from "../../process-user.ts";
import { chosenOrganization } from "../../store/accounts/chosen-organization.ts";
import type { Store } from "../../store/store.ts";
import { withRetry } from "../loop.ts";

/** The configuration file that a server applies by itself (behavior 16.80 to 16.83). */
export interface ServerConfiguration {
  /** Applies the file. @throws FileFaults if it can't be applied */
  start(): Promise<void>;
  /** Applies the file again. If it can't be applied, this is logged, and everything stays as it is. */
  renew(): Promise<void>;
  /** The first reason why the file was not applied, without values; undefined if it was. */
  fault(): string | undefined;
  /** The parts of the last applied file that a discovery needs (behavior 28.6). */
  applied(): AppliedParts;
}

/** @property defaults as in the file, with the placeholders replaced */
export interface AppliedParts {
  discover?: DiscoverSettings;
  defaults?: object;
}

/** @property variables for the placeholders in the file @property isDiscoverGiven whether `--discover` is given */
interface ConfigurationSource {
  file: string;
  variables: Record<string, string | undefined>;
  isDiscoverGiven?: boolean;
}

/** Judges the file before a database exists. @throws FileFaults if it can't be read, or is no valid document by itself */
export async function assertConfigurable(source: ConfigurationSource): Promise<void> {
  await applyParts(source, async (document) => {
    const { faults } = parseDocument(document);
    if (faults.length > 0) throw new FaultsError(faults);
  });
}

/**
 * Reads the file, and applies it without `discover`.
 *
 * @throws FileFaults
 */
async function applyParts<Result>(
  { file, variables, isDiscoverGiven = false }: ConfigurationSource,
  apply: (document: unknown) => Promise<Result>,
): Promise<{ result: Result; parts: AppliedParts }> {
  const { applyFile, readRegularFile } = await import("../../configuration-file/apply-file.ts");
  const applyOthers = async (document: unknown) => {
    const parts = pickGiven(Object(document) as AppliedParts, ["discover", "defaults"]);
    if (parts.discover === undefined) return { result: await apply(document), parts };
    const { faults } = parseDocument(document, "serverFile");
    if (isDiscoverGiven) faults.unshift({ path: "discover", message: GIVEN_TWICE });
    if (faults.length > 0) throw new FaultsError(faults);
    return { result: await apply(omit(document as object & AppliedParts, ["discover"])), parts };
  };
  return applyFile(await readRegularFile(file), variables, applyOthers, "serverFile");
}

const GIVEN_TWICE = "must be left out, or --discover must be: only one of them says where the server reads";

/** @param apply applies a document to the organization. @returns how many changes it made */
export function createServerConfiguration({
  file,
  apply,
  log,
  ...source
}: ConfigurationSource & {
  apply: (document: unknown) => Promise<number>;
  log: Logger;
}): ServerConfiguration {
  let fault: string | undefined;
  let applied: AppliedParts = {};
  let last: Promise<unknown> = Promise.resolve();

  async function applyNow(): Promise<void> {
    const { result: changes, parts } = await applyParts({ file, ...source }, apply);
    fault = undefined;
    applied = parts;
    log.info({ file, changes }, "applied the configuration file");
  }

  async function renewNow(): Promise<void> {
    try {
      await applyNow();
    } catch (error) {
      const faults = faultsOf(error);
      fault = faults ? faultLine(withoutValues(faults[0])) : "it could not be applied: see the log";
      const cause = faults ? { faults: faults.map(faultLine) } : { err: error };
      log.error({ file, ...cause }, "the configuration file was not applied: everything stays as it was");
    }
  }

  return {
    async start() {
      try {
        await applyNow();
      } catch (error) {
        const faults = faultsOf(error);
        throw faults ? new FileFaults(faults) : error;
      }
    },
    renew() {
      // One at a time, so that the newest file is applied last.
      const renewed = last.then(renewNow);
      last = renewed;
      return renewed;
    },
    fault: () => fault,
    applied: () => applied,
  };
}

/** Undefined for an error that is not one of the file. */
function faultsOf(error: unknown): Faults | undefined {
  if (error instanceof FileFaults) return error.faults as Faults;
  const isOurs = error instanceof AppError && error.kind !== "unavailable";
  return isOurs ? [{ path: "", message: error.message }] : undefined;
}

type Faults = [SourceFault, ...SourceFault[]];

/** For a health check, which everybody may read. */
function withoutValues({ path, message, line }: SourceFault): SourceFault {
  return { path, message: message.replace(/, got .*$/s, ""), ...(line !== undefined && { line }) };
}

/**
 * Applies documents in the name of the user of this process, without pruning. While the database fails, it tries again: several
 * nodes may apply a large document at the same time, and wait for each other.
 *
 * @param organizationId optional while there is exactly one
 * @param wake called after changes: monitors may be due, and alerts may have to be sent
 * @returns a function that returns how many changes it made
 */
export function applyDocument({
  store,
  clock,
  organizationId: given,
  confirm,
  seal,
  wake,
}: {
  store: Pick<Store, "as" | "organizations">;
  clock: Pick<Clock, "now" | "monotonic" | "sleep">;
  organizationId: string | undefined;
  /** Called before a document is applied: throws if this server refuses one of its configs, or its registrations can't be looked up. */
  confirm: (organizationId: string, document: unknown) => Promise<void>;
  /** Hashes the passwords of pages. */
  seal: SealPassword;
  wake: () => void;
}): (document: unknown) => Promise<number> {
  async function applyOnce(document: unknown): Promise<number> {
    const now = clock.now();
    const author: Author = { actor: { type: "cli", id: null, name: userName() }, address: null, at: now };
    const organizationId = await chosenOrganization(store, { flag: "--config-org", given });
    await confirm(organizationId, document);
    const { configuration } = store.as(author);
    const options = { prune: "none", isDryRun: false, seal } as const;
    const { changes } = await configuration.apply(organizationId, document, options, now);
    if (changes.length > 0) wake();
    return changes.length;
  }

  return (document) => withRetry(clock, () => applyOnce(document));
}
