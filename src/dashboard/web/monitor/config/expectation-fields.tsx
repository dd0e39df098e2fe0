import type { Config } from "../../data/api.ts";
import { Field, TextField } from "../../form/fields.tsx";
import { PairRows } from "../../form/rows/pair-rows.tsx";
import { showLines } from "../../form/shown-text.ts";
import { JsonRows } from "./json-rows.tsx";

/** What a check expects of an answer beside its status. */
export function ExpectationFields({ expect }: { expect: Config }) {
  const { contains, lacks, json, headers, within } = expect;
  return (
    <>
      <Texts
        name="config.expect.contains"
        label="The body contains"
        value={contains}
        hint="One text on each line, with upper and lower case as in the body. Down if one of them is missing."
      />
      <Texts
        name="config.expect.lacks"
        label="The body does not contain"
        value={lacks}
        hint="One text on each line. Down if the body has one of them."
      />
      <JsonRows json={(json ?? {}) as Config} />
      <PairRows
        name="config.expect.headers"
        legend="Headers of the answer"
        labels={["Header", "Contains"]}
        rows={Object.entries((headers ?? {}) as Record<string, string>)}
        examples={["Content-Type", "application/json"]}
        add="Add an expected header"
      />
      <TextField
        name="config.expect.within"
        label="Degraded above … ms"
        value={within}
        kind="numeric"
        hint="A slower answer is Degraded, never Down. The baseline of the monitor counts also."
      />
    </>
  );
}

function Texts({ name, label, value, hint }: { name: string; label: string; value: unknown; hint: string }) {
  return (
    <Field name={name} label={label} hint={hint}>
      {(props) => <textarea {...props} rows={2} defaultValue={showLines(value)} spellCheck={false} />}
    </Field>
  );
}
