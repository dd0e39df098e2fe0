import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useLocation } from "wouter";
import type { BulkChange, BulkSelector } from "../../../../domain/monitors/bulk/bulk-request.ts";
import type { Selector } from "../../../../domain/monitors/selector.ts";
import { MAX_SKIPPED } from "../../../../domain/overview/overview-query.ts";
import type { Filters } from "../../../../domain/overview/selection.ts";
import { api, getData, MAX_LEFT_BEHIND, type MonitorSummary, type Overview } from "../../data/api.ts";
import { findIds } from "../../data/monitor-search.ts";
import { changedByMaintenance, changedByMonitor, queryKeys } from "../../data/query-keys.ts";
import { useChange } from "../../data/use-change.ts";
import { useSettled } from "../../data/use-settled.ts";
import { textOf, timeIn } from "../../form/field-errors.ts";
import { NameField, TextField, TimeField } from "../../form/fields.tsx";
import { Form, FormFailure, SubmitButton, useForm, useFormData } from "../../form/form.tsx";
import { hindsightParams } from "../../hindsight/replay-line.tsx";
import { fill, plural, texts } from "../../languages/texts.ts";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Failure, useAction } from "../../ui/filters.tsx";
import { changeMany, deleteLate, offerUndo } from "../../ui/undo.tsx";
import type { OverviewFilters } from "../filter-bar.tsx";
import { isPartial } from "../overview-queries.ts";
import { type BulkAction, CHANGES, DELETION } from "./bulk-actions.tsx";
import {
  among,
  asksForNumber,
  deletionFaults,
  describeOutcome,
  describePreview,
  isSelected,
  listNames,
  NOTHING,
  type Selected,
  type Selection,
  selectorOf,
} from "./selection.ts";

interface Props {
  selection: Selection;
  /** The list. */
  monitors: readonly MonitorSummary[];
  /** How many monitors match the filters, also those that are on other pages. */
  matching: number;
  filters: OverviewFilters;
  /** Ends the mode. */
  end: () => void;
}

const MAINTENANCE = "maintenance";

/** How many monitors are selected, and what can be done with them. */
export function SelectionBar({ selection, monitors, matching, filters, end }: Props) {
  const selected = useSyncExternalStore(selection.subscribe, selection.current);
  const [open, setOpen] = useState<BulkAction | typeof MAINTENANCE | null>(null);
  const [done, setDone] = useState<{ text: string } | null>(null);
  const outcome = useRef<HTMLParagraphElement>(null);
  // The button that opened the dialog may be disabled now.
  useEffect(() => outcome.current?.focus(), [done]);
  useList(selection, monitors);
  useShownOnly(selection, { monitors, isWhole: matching <= monitors.length, done });
  useFilters(selection, filters);
  useEscape(end);
  const count = selected.matching ? matching : selected.ids.size;
  const dialog = {
    selector: selectorOf(selected),
    count,
    onClose: () => setOpen(null),
    onDone(text: string) {
      setOpen(null);
      setDone({ text });
      if (open === DELETION) selection.set(NOTHING);
    },
  };
  const names = () =>
    listNames(
      monitors.filter(({ id }) => isSelected(selected, id)).map(({ name }) => name),
      count,
    );
  const buttonOf = (action: NonNullable<typeof open>, label: string, className?: string) => (
    <button
      type="button"
      key={label}
      className={className}
      disabled={count === 0}
      onClick={() => setOpen(action)}
    >
      {label}
    </button>
  );
  return (
    <section className="bulk-bar" aria-label={texts.bulk.label}>
      <div className="actions">
        <p role="status">{plural(texts.bulk.selected, count)}</p>
        <SelectButtons {...{ selection, matching, filters, count }} shown={monitors.map(({ id }) => id)} />
        <button type="button" className="bulk-bar-end" onClick={end}>
          {texts.bulk.end}
        </button>
      </div>
      <div className="actions bulk-bar-actions">
        {CHANGES.map((action) => buttonOf(action, texts.bulk.changes[action.name].label))}
        {buttonOf(MAINTENANCE, texts.bulk.maintenance.label)}
        <HindsightButton
          selector={dialog.selector}
          isDisabled={count === 0 || isTooLarge(count, dialog.selector)}
        />
        {buttonOf(DELETION, texts.bulk.changes.delete.label, "button-danger-quiet")}
      </div>
      {done && (
        <p ref={outcome} tabIndex={-1}>
          {done.text}
        </p>
      )}
      {open === MAINTENANCE && <MaintenanceDialog {...dialog} names={names()} />}
      {open && open !== MAINTENANCE && (
        <BulkDialog {...dialog} ids={idsOf(selected, monitors, matching)} action={open} />
      )}
    </section>
  );
}

/** Leads to what would have been with other settings of these monitors. */
function HindsightButton({ selector, isDisabled }: { selector: BulkSelector; isDisabled: boolean }) {
  const [, navigate] = useLocation();
  const { error, busy, run } = useAction();
  const open = () =>
    run(async () => navigate(`/hindsight?${hindsightParams(await plainSelector(selector))}`));
  return (
    <>
      <button type="button" disabled={isDisabled || busy} onClick={open}>
        {texts.bulk.hindsight}
      </button>
      <Failure error={error} />
    </>
  );
}

interface ButtonsProps extends Pick<Props, "selection" | "matching" | "filters"> {
  /** The IDs of the list. */
  shown: readonly string[];
  /** How many monitors are selected. */
  count: number;
}

function SelectButtons({ selection, matching, filters, shown, count }: ButtonsProps) {
  const isPage = matching > shown.length;
  const buttonOf = (label: string, selected: Selected) => (
    <button
      type="button"
      className="button-quiet"
      disabled={selected === NOTHING && count === 0}
      onClick={() => selection.set(selected)}
    >
      {label}
    </button>
  );
  const list = { ids: new Set(shown) };
  return (
    <>
      {isPage && buttonOf(texts.bulk.selectPage, list)}
      {buttonOf(plural(texts.bulk.selectAll, matching), isPage ? { ...NOTHING, matching: filters } : list)}
      {buttonOf(texts.bulk.selectNone, NOTHING)}
    </>
  );
}

/** Keeps the selection up to date with the order of the list, and without deleted monitors. */
function useList(selection: Selection, monitors: readonly MonitorSummary[]): void {
  const queries = useQueryClient();
  useEffect(() => {
    selection.shown = monitors.map(({ id }) => id);
    const overview = queries.getQueryData<Overview>(queryKeys.overview);
    if (overview && !isPartial(overview))
      selection.set(among(selection.current(), new Set(overview.monitors.map(({ id }) => id))));
  }, [selection, monitors, queries]);
}

/** After a change, monitors that the filters no longer show are not selected: the next change would be of these too. */
function useShownOnly(
  selection: Selection,
  { monitors, isWhole, done }: { monitors: readonly MonitorSummary[]; isWhole: boolean; done: object | null },
): void {
  useEffect(() => {
    if (done && isWhole) selection.set(among(selection.current(), new Set(monitors.map(({ id }) => id))));
  }, [selection, monitors, isWhole, done]);
}

/** @returns null if some are on other pages */
function idsOf(
  selected: Selected,
  monitors: readonly MonitorSummary[],
  matching: number,
): readonly string[] | null {
  if (!selected.matching) return [...selected.ids];
  return matching <= monitors.length ? monitors.map(({ id }) => id) : null;
}

/** Other filters end the selection of all monitors that match. */
function useFilters(selection: Selection, filters: OverviewFilters): void {
  const key = keyOf(filters);
  useEffect(() => {
    const { matching } = selection.current();
    if (matching && keyOf(matching) !== key) selection.set(NOTHING);
  }, [selection, key]);
}

function keyOf(matching: Filters): string {
  return JSON.stringify(selectorOf({ ...NOTHING, matching }));
}

/** Escape in a dialog or a field is for these only. */
function useEscape(onEnd: () => void): void {
  useEffect(() => {
    const onKeyDown = ({ key, target }: KeyboardEvent) => {
      const isElsewhere = (target as Element).closest("dialog, select, [type=search]");
      if (key === "Escape" && !isElsewhere && !document.querySelector("dialog[open]")) onEnd();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [onEnd]);
}

interface BulkDialogProps {
  action: BulkAction;
  selector: BulkSelector;
  /** The IDs of the selected monitors, if the page knows all of them. */
  ids: readonly string[] | null;
  /** How many monitors are selected. */
  count: number;
  onClose: () => void;
  /** @param text what was done, in words */
  onDone: (text: string) => void;
}

/** Shows what a change of the selected monitors would do, and does it. */
function BulkDialog({ action, selector, ids, count, onClose, onDone }: BulkDialogProps) {
  const { name, fields, check, changeIn } = action;
  const words = texts.bulk.changes[name];
  const deletes = action === DELETION;
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
    if (deletes && outcome && ids && JSON.stringify(body).length < MAX_LEFT_BEHIND) {
      const send = () => save(api.monitors.bulk.post(body));
      const { pending, failed } = texts.bulk.deletion;
      deleteLate({
        ids,
        pending: plural(pending, outcome.changedCount),
        failed: plural(failed, outcome.changedCount),
        send,
      });
      return onDone(describeOutcome(name, outcome));
    }
    const done = await changeMany(save, body).catch((error) => {
      void preview.refetch();
      throw error;
    });
    onDone(describeOutcome(name, done));
  };
  const faults = (data: FormData) => [
    ...check(data),
    ...(deletes && outcome ? deletionFaults(String(data.get("typed") ?? ""), outcome.matched) : []),
  ];
  return (
    <Dialog title={plural(words.title, count)} onClose={onClose}>
      <Form check={faults} onSubmit={submit}>
        {"note" in words && <p>{words.note}</p>}
        {fields?.()}
        <div className="bulk-preview" ref={element} aria-live="polite">
          <Failure error={preview.error} />
          {outcome && <p>{describePreview(outcome, deletes ? "deletes" : "changes")}</p>}
          {outcome && outcome.refused.length > 0 && <Refused {...outcome} />}
        </div>
        {deletes && outcome && asksForNumber(outcome.matched) && (
          <TextField name="typed" label={plural(texts.bulk.fields.number, outcome.matched)} kind="numeric" />
        )}
        <FormFailure />
        <DialogActions onClose={onClose}>
          <ConfirmButton
            className={deletes ? "button-danger" : "button-primary"}
            isDisabled={change !== null && !(preview.isCurrent && outcome && outcome.changedCount > 0)}
          >
            {words.confirm}
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
      {rest > 0 && <li>{plural(texts.bulk.preview.moreRefused, rest)}</li>}
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

const MINUTE = 60_000;

interface MaintenanceDialogProps {
  selector: BulkSelector;
  /** How many monitors are selected, and which, in words. */
  count: number;
  names: string;
  onClose: () => void;
  /** @param text what was done, in words */
  onDone: (text: string) => void;
}

/** Begins a maintenance of the selected monitors. */
function MaintenanceDialog({ selector, count, names, onClose, onDone }: MaintenanceDialogProps) {
  const save = useChange(...changedByMaintenance);
  const words = texts.bulk.maintenance;
  const start = async (data: FormData) => {
    const body = {
      title: textOf(data, "title") ?? "",
      startsAt: new Date().toISOString(),
      endsAt: timeIn(textOf(data, "endsAt")) ?? "",
      selector: await plainSelector(selector),
    };
    const { id } = await save(api.maintenances.post(body));
    offerUndo({
      text: words.undo,
      undo: () => save(api.maintenances({ id }).delete()).then(() => {}),
    });
    onDone(plural(words.done, count));
  };
  const isRefused = isTooLarge(count, selector);
  return (
    <Dialog title={plural(words.title, count)} onClose={onClose}>
      <Form check={() => []} onSubmit={start}>
        <p>{fill(words.text, { names })}</p>
        <NameField name="title" label={words.name} value={words.nameValue} />
        <TimeField name="endsAt" label={words.end} value={inAnHour()} />
        {isRefused && <p className="failure">{fill(words.tooMany, { max: MAX_SKIPPED })}</p>}
        <FormFailure />
        <DialogActions onClose={onClose}>
          {!isRefused && <SubmitButton>{words.confirm}</SubmitButton>}
        </DialogActions>
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

async function plainSelector(selector: BulkSelector): Promise<Selector> {
  return directSelector(selector) ?? { monitorIds: await findIds(filtersOf(selector)) };
}

/** Whether a selector of these monitors has more IDs than the page can find. */
function isTooLarge(count: number, selector: BulkSelector): boolean {
  return count > MAX_SKIPPED && !directSelector(selector);
}

/** The parameters of a search for the monitors that match. */
function filtersOf({ matching: { tags = [], ...others } = {} }: BulkSelector) {
  return { ...others, ...(tags.length > 0 && { tag: tags.join(",") }) };
}
