import { selectMask } from "../fields.tsx";
import { Rows } from "./rows.tsx";

type Pair = readonly [name: string, value: string];

interface Props {
  name: string;
  legend: string;
  /** What the two inputs of a row are. */
  labels: Pair;
  rows: Pair[];
  examples: Pair;
  add: string;
  hint?: string;
}

/** Rows of a name and a value. */
export function PairRows({ name, labels, examples, ...rows }: Props) {
  return (
    <Rows<Pair> {...rows} name={name} blank={["", ""]}>
      {(pair, number, isInvalid) =>
        ([0, 1] as const).map((at) => (
          <input
            key={at}
            name={name}
            aria-label={`${labels[at]} ${number}`}
            {...(isInvalid && { "aria-invalid": true })}
            defaultValue={pair[at]}
            placeholder={examples[at]}
            onFocus={selectMask}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        ))
      }
    </Rows>
  );
}
