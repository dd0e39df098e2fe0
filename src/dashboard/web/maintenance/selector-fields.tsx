import { useState } from "react";
import type { Selector } from "../../../domain/monitors/selector.ts";
import { useForm } from "../form/form.tsx";
import { MonitorPicker } from "../form/monitor-picker.tsx";
import { TagField } from "../form/tag-field.tsx";
import { tagsOfMonitors } from "../form/tag-values.ts";

interface Props {
  monitors: readonly { id: string; name: string; tags: readonly string[] }[];
  stored: Selector | undefined;
}

/** Which monitors a maintenance is about: all, those with a tag, or single ones. */
export function SelectorFields({ monitors, stored = {} }: Props) {
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
          known={tagsOfMonitors(monitors)}
        />
        <MonitorPicker
          legend="Single monitors"
          name="selector.monitorIds"
          monitors={monitors}
          chosen={stored.monitorIds ?? []}
        />
      </div>
      {error && (
        <p className="field-error" id="selector-error" role="alert">
          {error}
        </p>
      )}
      {/* Its name receives the errors of the whole selector. */}
      <input type="hidden" name="selector" />
    </fieldset>
  );
}
