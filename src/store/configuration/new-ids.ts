import { isNew, type Step } from "../../domain/configuration/plan.ts";
import { createId } from "../ids.ts";

/** The IDs that new objects get, by their steps. */
export type NewIds = ReadonlyMap<Step<unknown>, string>;

export function createNewIds(steps: readonly Step<unknown>[]): NewIds {
  return new Map(steps.filter(isNew).map((step) => [step, createId()]));
}

/** @throws Error for a step that creates nothing */
export function newId(ids: NewIds, step: Step<unknown>): string {
  const id = ids.get(step);
  if (id === undefined) throw new Error(`a plan gives ${step.ref} no ID`);
  return id;
}
