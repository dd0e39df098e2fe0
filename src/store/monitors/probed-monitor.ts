import type { ProbedMonitor } from "../../domain/checks/blindness.ts";

/** A probed monitor as it is stored. @property lastResultPk identifies its latest result */
export interface StoredProbedMonitor extends ProbedMonitor {
  pk: number;
  organizationPk: number;
  enabled: boolean;
  blindSince: number | null;
  lastResultPk: number | null;
}
