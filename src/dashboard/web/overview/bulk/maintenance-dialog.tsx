import type { BulkSelector } from "../../../../domain/monitors/bulk/bulk-request.ts";
import type { Selector } from "../../../../domain/monitors/selector.ts";
import { MAX_SKIPPED } from "../../../../domain/overview/overview-query.ts";
import { api } from "../../data/api.ts";
import { findIds } from "../../data/monitor-search.ts";
import { changedByMaintenance } from "../../data/query-keys.ts";
import { useChange } from "../../data/use-change.ts";
import { NameField, TimeField } from "../../form/fields.tsx";
import { Form, FormFailure, SubmitButton } from "../../form/form.tsx";
import { textOf, timeIn } from "../../form/form-values.ts";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { formatCount, formatNumber } from "../../ui/numbers.ts";

const MINUTE = 60_000;

interface Props {
  selector: BulkSelector;
  /** How many monitors are selected, and which, in words. */
  count: number;
  names: string;
  onClose: () => void;
  /** @param text what was done, in words */
  onDone: (text: string) => void;
}

/** Begins a maintenance of the selected monitors. */
export function MaintenanceDialog({ selector, count, names, onClose, onDone }: Props) {
  const save = useChange(...changedByMaintenance);
  const start = async (data: FormData) => {
    const body = {
      title: textOf(data, "title") ?? "",
      startsAt: new Date().toISOString(),
      endsAt: timeIn(textOf(data, "endsAt")) ?? "",
      selector: directSelector(selector) ?? { monitorIds: await findIds(filtersOf(selector)) },
    };
    await save(api.maintenances.post(body));
    onDone(`Started a maintenance of ${formatCount(count, "monitor")}.`);
  };
  const isTooLarge = count > MAX_SKIPPED && !directSelector(selector);
  return (
    <Dialog title={`Maintenance of ${formatCount(count, "monitor")}`} onClose={onClose}>
      <Form check={() => []} onSubmit={start}>
        <p>It begins now. Nobody is notified about {names}.</p>
        <NameField name="title" label="Title" value="Maintenance" />
        <TimeField name="endsAt" label="End" value={inAnHour()} />
        {isTooLarge && (
          <p className="failure">
            A maintenance of more than {formatNumber(MAX_SKIPPED)} monitors is for all monitors, or for those
            with one tag: select them by this filter only.
          </p>
        )}
        <FormFailure />
        <DialogActions onClose={onClose}>{!isTooLarge && <SubmitButton>Start</SubmitButton>}</DialogActions>
      </Form>
    </Dialog>
  );
}

/** ISO 8601, without seconds. */
function inAnHour(): string {
  return new Date(Math.ceil(Date.now() / MINUTE + 60) * MINUTE).toISOString();
}

/** The selector of a maintenance for the same monitors; undefined if it needs their IDs. */
export function directSelector({ matching, ...selector }: BulkSelector): Selector | undefined {
  if (!matching) return selector;
  const { tags = [], ...others } = matching;
  return tags.length === 1 && Object.keys(others).length === 0 ? { tags } : undefined;
}

/** The parameters of a search for the monitors that match. */
function filtersOf({ matching: { tags = [], ...others } = {} }: BulkSelector) {
  return { ...others, ...(tags.length > 0 && { tag: tags.join(",") }) };
}
