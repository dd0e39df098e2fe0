import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Selector } from "../../../domain/monitors/selector.ts";
import { tagsQuery } from "../data/monitor-lists.ts";
import { FieldError } from "../form/fields.tsx";
import { useForm } from "../form/form.tsx";
import { MonitorPicker } from "../form/monitor-picker.tsx";
import { TagField } from "../form/tag-field.tsx";

interface SelectorProps {
  stored: Selector | undefined;
}

/** Which monitors a maintenance is about: all monitors, monitors with a tag, or single monitors. */
export function SelectorFields({ stored = {} }: SelectorProps) {
  const { data: tags = [] } = useQuery(tagsQuery);
  const [isAll, setAll] = useState(stored.all === true);
  const error = useForm().errors.selector;
  return (
    <fieldset className="form-fields" {...(error && { "aria-describedby": "selector-error" })}>
      <legend className="selector-legend">Monitors</legend>
      <label className="check">
        <input
          type="checkbox"
          name="selector.all"
          defaultChecked={isAll}
          onChange={({ currentTarget }) => setAll(currentTarget.checked)}
        />
        All monitors
      </label>
      {/* Hidden, but in the form, so that the values are kept. */}
      <div className="form-fields" hidden={isAll}>
        <TagField
          name="selector.tags"
          label="Monitors with one of these tags"
          tags={stored.tags ?? []}
          known={tags}
        />
        <MonitorPicker legend="Single monitors" name="selector.monitorIds" chosen={stored.monitorIds ?? []} />
      </div>
      <FieldError id="selector-error" error={error} />
      {/* Its name receives the errors of the whole selector. */}
      <input type="hidden" name="selector" />
    </fieldset>
  );
}
