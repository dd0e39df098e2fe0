import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Selector } from "../../../domain/monitors/selector.ts";
import type { SaidFault } from "../../../domain/schemas/validation.ts";
import { tagsIn, tagsQuery } from "../data/monitor-lists.ts";
import { TagField } from "../form/choices.tsx";
import { checkedValues } from "../form/field-errors.ts";
import { FieldError } from "../form/fields.tsx";
import { useForm } from "../form/form.tsx";
import { MonitorPicker } from "../form/monitor-picker.tsx";
import { pageFault } from "../form/page-fault.ts";
import { texts } from "../languages/texts.ts";

interface SelectorProps {
  stored: Selector | undefined;
}

/** Which monitors a maintenance is about: all monitors, monitors with a tag, or single monitors. */
export function SelectorFields({ stored = {} }: SelectorProps) {
  const { data: tags = [] } = useQuery(tagsQuery);
  const [isAll, setAll] = useState(stored.all === true);
  const error = useForm().errors.selector;
  const words = texts.maintenance.selector;
  return (
    <fieldset className="form-fields" {...(error && { "aria-describedby": "selector-error" })}>
      <legend className="selector-legend">{words.legend}</legend>
      <label className="check">
        <input
          type="checkbox"
          name="selector.all"
          defaultChecked={isAll}
          onChange={({ currentTarget }) => setAll(currentTarget.checked)}
        />
        {words.all}
      </label>
      {/* Hidden, but in the form, so that the values are kept. */}
      <div className="form-fields" hidden={isAll}>
        <TagField name="selector.tags" label={words.tags} tags={stored.tags ?? []} known={tags} />
        <MonitorPicker legend={words.single} name="selector.monitorIds" chosen={stored.monitorIds ?? []} />
      </div>
      <FieldError id="selector-error" error={error} />
      {/* Its name receives the errors of the whole selector. */}
      <input type="hidden" name="selector" />
    </fieldset>
  );
}

/** The monitors that are chosen in the form; without a part if none is. */
export function selectorIn(data: FormData): Selector {
  const tags = tagsIn(data.get("selector.tags"));
  const monitorIds = checkedValues(data, "selector.monitorIds");
  return {
    ...(data.has("selector.all") && { all: true as const }),
    ...(tags.length > 0 && { tags }),
    ...(monitorIds.length > 0 && { monitorIds }),
  };
}

/** The fault of a selector that selects no monitor. */
export function selectorFaults(selector: object): SaidFault[] {
  const isEmpty = Object.keys(selector).length === 0;
  return isEmpty ? [pageFault("noMonitors", "selector", {})] : [];
}
