import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useRef } from "react";
import type { BulkChange, BulkSelector } from "../../../../domain/monitors/bulk/bulk-request.ts";
import { api, getData } from "../../data/api.ts";
import { changedByMonitor, queryKeys } from "../../data/query-keys.ts";
import { useChange } from "../../data/use-change.ts";
import { useSettled } from "../../data/use-settled.ts";
import { TextField } from "../../form/fields.tsx";
import { Form, FormFailure, useForm, useFormData } from "../../form/form.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Failure } from "../../ui/failure.tsx";
import { formatCount, formatNumber } from "../../ui/numbers.ts";
import type { BulkAction } from "./bulk-actions.tsx";
import { asksForNumber, deletionFaults, describeOutcome, describePreview } from "./bulk-words.ts";

interface Props {
  action: BulkAction;
  selector: BulkSelector;
  /** How many monitors are selected. */
  count: number;
  onClose: () => void;
  /** @param text what was done, in words */
  onDone: (text: string) => void;
}

/** Shows what a change of the selected monitors would do, and does it. */
export function BulkDialog({ action, selector, count, onClose, onDone }: Props) {
  const { verb, did, of = "", note, fields, check, changeIn, deletes } = action;
  const element = useRef<HTMLDivElement>(null);
  const data = useFormData(element) ?? new FormData();
  const change = check(data).length === 0 ? changeIn(data) : null;
  const preview = usePreview(selector, change);
  const outcome = preview.data;
  const save = useChange(queryKeys.channels, ...changedByMonitor);
  const submit = async (data: FormData) => {
    const body = {
      selector,
      change: changeIn(data),
      ...(outcome && { expectedMatched: outcome.matched }),
    };
    const done = await save(api.monitors.bulk.post(body)).catch((error) => {
      void preview.refetch();
      throw error;
    });
    onDone(describeOutcome(did + of, done));
  };
  const faults = (data: FormData) => [
    ...check(data),
    ...(deletes && outcome ? deletionFaults(String(data.get("typed") ?? ""), outcome.matched) : []),
  ];
  return (
    <Dialog title={`${verb}${of} ${formatCount(count, "monitor")}`} onClose={onClose}>
      <Form check={faults} onSubmit={submit}>
        {note && <p>{note}</p>}
        {fields?.()}
        <div className="bulk-preview" ref={element} aria-live="polite">
          <Failure error={preview.error} />
          {outcome && <p>{describePreview(outcome, deletes && "be deleted")}</p>}
          {outcome && outcome.refused.length > 0 && <Refused {...outcome} />}
        </div>
        {deletes && outcome && asksForNumber(outcome.matched) && (
          <TextField
            name="typed"
            label={`Type ${formatNumber(outcome.matched)} to delete ${formatNumber(outcome.matched)} monitors`}
            kind="numeric"
          />
        )}
        <FormFailure />
        <DialogActions onClose={onClose}>
          <ConfirmButton
            className={deletes ? "button-danger" : "button-primary"}
            isDisabled={change !== null && !(preview.isCurrent && outcome && outcome.changedCount > 0)}
          >
            {verb}
          </ConfirmButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** The outcome of a change, if it were made. @param change null if the fields are not complete @returns `isCurrent` once it is known for this change */
function usePreview(selector: BulkSelector, change: BulkChange | null) {
  const settled = useSettled(change);
  const query = useQuery({
    queryKey: queryKeys.bulkPreview(selector, settled),
    queryFn: () => {
      const body = { selector, change: settled as BulkChange };
      return getData(api.monitors.bulk.post(body, { query: { dryRun: "true" } }));
    },
    enabled: settled !== null,
    placeholderData: keepPreviousData,
    // Monitors may change until the dialog is opened again.
    gcTime: 0,
  });
  const isCurrent = JSON.stringify(settled) === JSON.stringify(change) && !query.isPlaceholderData;
  return { data: change ? query.data : undefined, error: query.error, refetch: query.refetch, isCurrent };
}

/** How many monitors that cannot change are listed. */
const MAX_LISTED = 5;

interface RefusedProps {
  refused: readonly { id: string; name: string; error: string }[];
  refusedCount: number;
}

function Refused({ refused, refusedCount }: RefusedProps) {
  const rest = refusedCount - MAX_LISTED;
  return (
    <ul className="bulk-refused">
      {refused.slice(0, MAX_LISTED).map(({ id, name, error }) => (
        <li key={id}>
          <bdi>{name}</bdi>: {error}
        </li>
      ))}
      {rest > 0 && <li>{formatCount(rest, "other")}</li>}
    </ul>
  );
}

interface ButtonProps {
  className: string;
  isDisabled: boolean;
  children: ReactNode;
}

function ConfirmButton({ className, isDisabled, children }: ButtonProps) {
  return (
    <button type="submit" className={className} disabled={useForm().busy || isDisabled}>
      {children}
    </button>
  );
}
