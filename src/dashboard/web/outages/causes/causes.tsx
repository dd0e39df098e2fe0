import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { useHasRole } from "../../app/session.tsx";
import { api, type Cause, getAnswer, getData, type Outage } from "../../data/api.ts";
import { listedMonitorsQuery } from "../../data/monitor-lists.ts";
import { changedByMonitor, queryKeys } from "../../data/query-keys.ts";
import { useChange } from "../../data/use-change.ts";
import { language } from "../../languages/locale.ts";
import { rich } from "../../languages/rich.tsx";
import { fill, listOf, plural, texts } from "../../languages/texts.ts";
import { locationLabel } from "../../locations/location-label.ts";
import { relatedQuery } from "../../monitors/monitor-queries.ts";
import { StatusMark } from "../../status/status-mark.tsx";
import { Card } from "../../ui/card.tsx";
import { Dialog, DialogActions, DialogButton } from "../../ui/dialog.tsx";
import { describeError, Failure, useAction } from "../../ui/filters.tsx";
import { Time, TimeSince } from "../../ui/time.tsx";
import { offerUndo } from "../../ui/undo.tsx";
import { type PlannedDependency, planDependencies, suggestDependency } from "./depend-on.ts";

/** The common causes of open outages, the latest first. */
export const openCausesQuery = queryOptions({
  queryKey: queryKeys.causes,
  queryFn: async () => (await getAnswer(api.causes.get({ query: { open: "true", limit: "50" } }))).data,
});

/** The common causes of open outages, above the list of these. Nothing without a cause. */
export function OpenCauses({ causes }: { causes: readonly Cause[] | undefined }) {
  if (!causes || causes.length === 0) return null;
  return (
    <Card id="causes" title={texts.outages.causes.title}>
      {causes.map((cause) => (
        <details key={cause.id} className="cause">
          <summary>
            <StatusMark state="down" /> <b>{titleOf(cause)}</b>{" "}
            <span className="text-muted">
              {rich(texts.outages.causes.lasting, { duration: <TimeSince at={cause.startedAt} /> })}
            </span>
          </summary>
          <Members cause={cause} />
        </details>
      ))}
    </Card>
  );
}

/** The cause that an outage shares with others: a fold with the others, and a link to all open causes. */
export function CauseOfOutage({ cause }: { cause: NonNullable<Outage["cause"]> }) {
  const [isOpen, setOpen] = useState(false);
  const { data, error } = useQuery({
    queryKey: queryKeys.cause(cause.id),
    queryFn: () => getData(api.causes({ id: cause.id }).get()),
    enabled: isOpen,
  });
  return (
    <details className="card cause" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{rich(texts.outages.causes.ofOutage, { cause: <b>{titleOf(cause)}</b> })}</summary>
      <Failure error={error} />
      {data && <Members cause={data} />}
    </details>
  );
}

/** The title of the API is English. */
function titleOf({ kind, value, title }: NonNullable<Outage["cause"]>): string {
  if (language === "en") return title;
  const shown = kind === "location" ? locationLabel(value) : value;
  return fill<string>(texts.outages.causes.shared[kind], { value: shown });
}

function Members({ cause }: { cause: Cause }) {
  const { startedAt, endedAt, monitors, monitorCount } = cause;
  const mayWrite = useHasRole("admin") && endedAt === null && monitors.length > 1;
  const rest = monitorCount - monitors.length;
  const words = texts.outages.causes;
  const start = <Time at={startedAt} />;
  return (
    <div className="cause-body">
      <p className="text-hint">
        {endedAt === null
          ? rich(words.since, { start })
          : rich(words.sinceUntil, { start, end: <Time at={endedAt} /> })}
      </p>
      <ul className="cause-members">
        {monitors.map(({ id, name }) => (
          <li key={id}>
            <Link href={`/monitors/${id}`}>{name}</Link>
          </li>
        ))}
        {rest > 0 && <li>{plural(words.more, rest)}</li>}
      </ul>
      {mayWrite && (
        <div className="actions">
          <DialogButton label={words.depend} className="button-small">
            {(onClose) => <DependDialog cause={cause} onClose={onClose} />}
          </DialogButton>
        </div>
      )}
    </div>
  );
}

/** Chooses the monitor on which the others of a cause depend: one that is near to what they share is suggested. */
function DependDialog({ cause: { kind, monitors }, onClose }: { cause: Cause; onClose: () => void }) {
  const { data: members, error } = useQuery(listedMonitorsQuery(monitors.map(({ id }) => id)));
  const [chosen, setChosen] = useState<string>();
  const parent = members && (chosen ?? suggestDependency(kind, members)?.id);
  const related = useQuery({ ...relatedQuery(parent ?? "", "dependencies"), enabled: parent !== undefined });
  const action = useAction();
  const change = useChange(...changedByMonitor);
  const ancestors = related.data && new Set(related.data.map(({ id }) => id));
  const plan = members && parent && ancestors && planDependencies(parent, members, ancestors);
  const save = () =>
    action.run(async () => {
      if (!plan) return;
      await makeDependent(change, plan.changes);
      onClose();
    });
  const words = texts.outages.causes;
  return (
    <Dialog title={words.dialog} onClose={onClose}>
      <p className="text-hint">{words.hint}</p>
      <Failure error={error ?? related.error ?? action.error} />
      <fieldset className="check-list cause-choices">
        <legend className="visually-hidden">{words.monitor}</legend>
        {monitors.map(({ id, name, type }) => (
          <label key={id}>
            <input type="radio" name="dependency" checked={id === parent} onChange={() => setChosen(id)} />
            <span className="text-wrap">
              {name} <span className="text-muted">{type}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <p className="text-hint" role="status">
        {plan && describePlan(plan)}
      </p>
      <DialogActions onClose={onClose}>
        <button
          type="button"
          className="button-primary"
          aria-disabled={!plan || plan.changes.length === 0 || action.busy}
          onClick={save}
        >
          {words.save}
        </button>
      </DialogActions>
    </Dialog>
  );
}

function describePlan({ changes, skipped }: ReturnType<typeof planDependencies>): string {
  const words = texts.outages.causes;
  const names = listOf(
    skipped.map(({ name }) => name),
    "unit",
  );
  const circle = skipped.length > 0 && fill(words.circle, { names });
  return [plural(words.plan, changes.length), circle].filter(Boolean).join(" ");
}

type Change = ReturnType<typeof useChange>;

/** Changes one monitor after the other, and offers to give each its dependencies back, unless somebody has changed them since. */
async function makeDependent(change: Change, planned: readonly PlannedDependency[]): Promise<void> {
  const words = texts.outages.causes;
  const done: PlannedDependency[] = [];
  let refusal = "";
  for (const one of planned) {
    try {
      await getData(api.monitors({ id: one.id }).patch({ dependsOn: one.after }));
      done.push(one);
    } catch (error) {
      refusal = fill(words.refused, { name: one.name, error: describeError(error) });
    }
  }
  const [last] = planned;
  // The last request also fetches again what the views show.
  if (last) await change(api.monitors({ id: last.id }).get());
  const undo = async () => {
    let undone = 0;
    for (const { id, before, after } of done) {
      const { dependsOn } = await getData(api.monitors({ id }).get());
      if (dependsOn.join() !== after.join()) continue;
      await getData(api.monitors({ id }).patch({ dependsOn: before }));
      undone++;
    }
    if (last) await change(api.monitors({ id: last.id }).get());
    return undone === done.length ? undefined : plural(words.undone, undone, { total: done.length });
  };
  const text = [plural(words.changed, done.length), refusal].filter(Boolean).join(" ");
  offerUndo({ text, undo });
}
