import { parseInSteps } from "../../domain/configuration/parse-document.ts";
import { type ApplyOptions, type Change, changesOf } from "../../domain/configuration/plan.ts";
import { planApply } from "../../domain/configuration/plan-apply.ts";
import { pushTokenOf } from "../../domain/monitors/push-token.ts";
import type { Engine } from "../engine.ts";
import type { Tx } from "../tx.ts";
import { inTurns } from "./batches.ts";
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
    { prune, isDryRun }: ApplyOptions,
    now: number,
  ): Promise<{ changes: Change[] }> => {
    const parsed = await inTurns(parseInSteps(value));
    const { pages, monitors } = parsed.document;
    const slugs = [...pages.values()].map(({ slug }) => slug);
    const tokens = [...monitors.values()].flatMap(({ config }) => pushTokenOf(config) ?? []);
    const planned = async (tx: Tx) => {
      const stored = await readConfiguration(tx, { organizationId, slugs, tokens }, now);
      return {
        owner: { organizationId, plan: stored.organization.plan },
        plan: planApply(parsed, stored, { prune, now }),
      };
    };
    const mark = editMark();
    const first = await read(planned);
    const changes = changesOf(first.plan);
    if (isDryRun || changes.length === 0) return { changes };
    return writeMany(async (tx, lock) => {
      // Again, if something may have changed meanwhile. Else nothing waits for another plan.
      const isSame = mark !== undefined && editMark() === mark;
      const { owner, plan } = isSame ? first : await planned(tx);
      await savePlan(tx, { owner, plan, lock }, now);
      return { changes: changesOf(plan) };
    });
  };
}
