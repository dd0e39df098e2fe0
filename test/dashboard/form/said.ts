import { textElsewhere, textOfFault } from "../../../src/dashboard/web/data/fault-text.ts";
import type { SaidFault } from "../../../src/domain/schemas/validation.ts";

/** The sentences of the API about faults, or the text of a fault that only the page finds, with its field. */
export function sentencesOf(faults: SaidFault[]): string[] {
  return faults.map(
    (fault) => fault.sentence || `${fault.field}: ${textOfFault(fault) ?? textElsewhere(fault)}`,
  );
}
