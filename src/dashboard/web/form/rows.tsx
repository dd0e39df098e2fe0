import { type ReactNode, useEffect, useRef, useState } from "react";
import { MASK } from "../../../domain/schemas/mask.ts";
import type { Config } from "../data/api.ts";
import { hidden, rich } from "../languages/rich.tsx";
import { fill, texts } from "../languages/texts.ts";
import { exactText, selectMask, useFieldNotes } from "./fields.tsx";
import { useRestoredRows } from "./use-draft.tsx";

interface Props<Row> {
  /** The name of the field in the API, and of all its controls. */
  name: string;
  legend: string;
  rows: Row[];
  /** The row that is added. */
  blank: Row;
  /** The words of the button that adds a row. */
  add: string;
  hint?: ReactNode;
  /** The controls of a row. @param number counts from 1 */
  children: (row: Row, number: number, isInvalid: boolean) => ReactNode;
}

/** A list whose rows the reader adds and removes. */
export function Rows<Row>({ name, legend, rows, blank, add, hint, children }: Props<Row>) {
  const element = useRef<HTMLFieldSetElement>(null);
  const restored = useRestoredRows(name);
  const [list, setList] = useState(() =>
    Array.from({ length: restored ?? rows.length }, (_, key) => ({ key, row: rows[key] ?? blank })),
  );
  const [added, setAdded] = useState(0);
  const { error, describedBy, errorBelow, hintBelow } = useFieldNotes(
    list.length > 0 ? name : undefined,
    hint,
  );
  useEffect(() => {
    if (added > 0) element.current?.querySelector<HTMLElement>(".row:last-of-type input")?.focus();
  }, [added]);
  const append = () => {
    setList([...list, { key: list.length + added + 1000, row: blank }]);
    setAdded(added + 1);
  };
  const remove = (key: number) => {
    setList(list.filter((one) => one.key !== key));
    element.current?.querySelector<HTMLElement>(".row-add")?.focus();
  };
  return (
    <fieldset className="rows" data-list={name} ref={element} {...describedBy}>
      <legend>{legend}</legend>
      {list.map(({ key, row }, at) => (
        <div className="row" key={key}>
          {children(row, at + 1, error !== undefined)}
          <button type="button" className="button-quiet" onClick={() => remove(key)}>
            {rich(texts.form.rows.remove, { hidden, number: at + 1, list: legend })}
          </button>
        </div>
      ))}
      {errorBelow}
      <button type="button" className="row-add" onClick={append}>
        {add}
      </button>
      {hintBelow}
    </fieldset>
  );
}

type Pair = readonly [name: string, value: string];

interface PairProps {
  name: string;
  legend: string;
  /** Labels of the two inputs of a row. */
  labels: Pair;
  rows: Pair[];
  examples: Pair;
  add: string;
  hint?: string;
  /** Whether the values are secrets. */
  isSecret?: true;
}

/** Rows of a name and a value. */
export function PairRows({ name, labels, examples, isSecret, ...rows }: PairProps) {
  return (
    <Rows<Pair> {...rows} name={name} blank={["", ""]}>
      {(pair, number, isInvalid) =>
        ([0, 1] as const).map((at) => (
          <input
            key={at}
            name={name}
            aria-label={fill(texts.form.rows.field, { label: labels[at], number })}
            {...(isInvalid && { "aria-invalid": true })}
            {...(isSecret && at === 1 && { "data-secret": "" })}
            defaultValue={pair[at]}
            placeholder={examples[at]}
            onFocus={selectMask}
            {...exactText}
          />
        ))
      }
    </Rows>
  );
}

/** The headers of requests, whose values are secrets. @property at the place of the config in the values of the form */
export function HeaderRows({ config, at = "config" }: { config: Config; at?: string }) {
  return (
    <PairRows
      name={`${at}.headers`}
      legend={texts.form.headers.title}
      labels={[texts.form.headers.name, texts.form.headers.value]}
      rows={Object.entries((config.headers ?? {}) as Record<string, string>)}
      examples={["Authorization", "Bearer …"]}
      add={texts.form.headers.add}
      isSecret
      hint={fill(texts.form.headers.hint, { mask: MASK })}
    />
  );
}
