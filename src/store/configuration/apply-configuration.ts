import { parseInSteps } from "../../domain/configuration/parse-document.ts";
import type { ParsedDocument } from "../../domain/configuration/parsed-document.ts";
import { type ApplyOptions, type Change, changesOf } from "../../domain/configuration/plan.ts";
import { planApply } from "../../domain/configuration/plan-apply.ts";
import type { SealedPasswords } from "../../domain/configuration/plan-entries.ts";
import type { StoredConfiguration } from "../../domain/configuration/stored-configuration.ts";
import { pushTokenOf } from "../../domain/monitors/push-token.ts";
import type { PasswordHash, SealPassword } from "../../domain/pages/page-password.ts";
import { MASK } from "../../domain/schemas/mask.ts";
import type { Engine } from "../engine.ts";
import { findPasswordHash } from "../pages/pages.ts";
import { sealPassword } from "../pages/seal-password.ts";
import { inTurns } from "../turns.ts";
import type { Tx } from "../tx.ts";
import { type OwnedPlan, preparePlan } from "./prepare-plan.ts";
import { readConfiguration } from "./read-configuration.ts";
import { savePlan } from "./save-plan.ts";

/**
 * Gives an organization what a document says, in one transaction (behavior 16.30 to 16.39). What changes is read first without a
 * lock, so that nothing waits for a document that changes nothing.
 *
 * @throws FaultsError with all faults of the document; AppError `no_subscription`, `not_found`
 */
export function applyConfiguration({
  read,
  writeMany,
  editMark,
}: Pick<Engine, "read" | "writeMany" | "editMark">) {
  /** @param value the document, as it is in a JSON or YAML file @param now milliseconds since 1970 */
  return async (
    organizationId: string,
    value: unknown,
    { prune, isDryRun, seal = sealPassword }: ApplyOptions,
    now: number,
  ): Promise<{ changes: Change[] }> => {
    const parsed = await inTurns(parseInSteps(value));
    const { pages, monitors } = parsed.document;
    const slugs = [...pages.values()].map(({ slug }) => slug);
    const tokens = [...monitors.values()].flatMap(({ config }) => pushTokenOf(config) ?? []);
    const load = (tx: Tx) => readConfiguration(tx, { organizationId, slugs, tokens }, now);
    const passwords = await sealPasswords(pages, {
      seal,
      find: (ref) => read((tx) => findPasswordHash(tx, organizationId, { ref })),
    });
    const planned = async (stored: StoredConfiguration): Promise<OwnedPlan> => ({
      owner: { organizationId, plan: stored.organization.plan },
      plan: await inTurns(planApply(parsed, stored, { prune, now, passwords })),
    });
    const mark = editMark();
    const first = await planned(await read(load));
    const changes = changesOf(first.plan);
    if (isDryRun || changes.length === 0) return { changes };
    const early = mark === undefined ? undefined : await read((tx) => preparePlan(tx, first, now));
    return writeMany(async (tx, lock) => {
      // Again, if something may have changed meanwhile. Else nothing waits for another plan.
      const isSame = early !== undefined && editMark() === mark;
      const prepared = isSame ? early : await preparePlan(tx, await planned(await load(tx)), now);
      await savePlan(tx, prepared, lock, now);
      return { changes: changesOf(prepared.plan) };
    });
  };
}

/** Before the transaction, because each hash takes some 20 ms. @param find the hash of the page with a ref */
async function sealPasswords(
  pages: ParsedDocument["pages"],
  { seal, find }: { seal: SealPassword; find: (ref: string) => Promise<PasswordHash | null> },
): Promise<SealedPasswords> {
  const sealed = new Map<string, PasswordHash | typeof MASK>();
  for (const [ref, { password }] of pages) {
    if (password === null || password === MASK) continue;
    const stored = await find(ref);
    const hash = await seal(password, stored);
    sealed.set(ref, hash === stored ? MASK : hash);
  }
  return sealed;
}
