import { IMPACTS } from "../../../domain/pages/incident.ts";
import type { Incident } from "../data/api.ts";
import { CheckList } from "../form/check-list.tsx";
import { Field } from "../form/fields.tsx";
import { impactLabels } from "./incident-words.ts";

interface Props {
  /** The incident to edit. */
  stored?: Incident;
  /** The names of the components of the page, by ID. */
  names: ReadonlyMap<string, string>;
}

/** The title, the impact and the components of an incident. */
export function IncidentFields({ stored, names }: Props) {
  return (
    <>
      <Field name="title" label="Title" hint="What is wrong, in a few words.">
        {(props) => <input {...props} dir="auto" defaultValue={stored?.title} autoComplete="off" />}
      </Field>
      <Field name="impact" label="Impact" hint="The overall state of the page is at least as bad.">
        {(props) => (
          <select {...props} className="incident-select" defaultValue={stored?.impact ?? "minor"}>
            {IMPACTS.map((impact) => (
              <option key={impact} value={impact}>
                {impactLabels[impact]}
              </option>
            ))}
          </select>
        )}
      </Field>
      {names.size > 0 && (
        <CheckList
          legend="Affected components"
          name="componentIds"
          options={[...names].map(([value, label]) => ({
            value,
            label: <bdi>{label}</bdi>,
            isChecked: stored?.componentIds.includes(value) ?? false,
          }))}
        />
      )}
    </>
  );
}
