import type { SaidFault } from "../../../domain/schemas/validation.ts";
import type { English } from "../../languages/english.ts";
import type { EnglishPlural, Places } from "../../languages/table.ts";

type Faults = English["faults"];
type PlacesOf<Text> = Text extends string
  ? Places<Text>
  : Text extends EnglishPlural
    ? Places<Text["other"]>
    : never;
type ValuesOf<Code extends keyof Faults> = {
  readonly [Place in Exclude<PlacesOf<Faults[Code]>, "entry">]: string | number;
};

/** A fault that the page finds by a rule of its own. */
export function pageFault<Code extends keyof Faults>(
  code: Code,
  field: string,
  values: ValuesOf<Code>,
): SaidFault {
  return { code, field, values, sentence: "" };
}
