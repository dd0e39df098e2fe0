import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { displayStateOf } from "../../../domain/monitors/display-state.ts";
import type { Selector } from "../../../domain/monitors/selector.ts";
import { useHasRole } from "../app/session.tsx";
import { api, type Channel, getData, type MonitorSummary } from "../data/api.ts";
import { changedByMonitor, queryKeys } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { useSettled } from "../data/use-settled.ts";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { SelectorFields } from "../maintenance/selector-fields.tsx";
import { selectorFaults, selectorIn } from "../maintenance/selector-values.ts";
import { monitorStatusLabel, StatusMark } from "../status/status-mark.tsx";
import { Card } from "../ui/card.tsx";
import { Dialog, DialogActions, DialogButton } from "../ui/dialog.tsx";
import { Failure, useAction } from "../ui/failure.tsx";
import { formatNumber } from "../ui/numbers.ts";

/** How many monitors the view of a channel lists: the search finds the others. */
const MAX_SHOWN = 100;

function channelMonitorsQuery(id: string, text: string) {
  const search = text.trim();
  return {
    queryKey: queryKeys.channelMonitors(id, search),
    queryFn: async () => {
      const query = {
        first: String(MAX_SHOWN),
        channel: id,
        sort: "name",
        ...(search && { search }),
      } as const;
      return getData(api.overview.get({ query }));
    },
    placeholderData: keepPreviousData,
  };
}

/** Binds monitors to a channel, or unbinds them. */
export function useBinding() {
  const change = useChange(queryKeys.channels, ...changedByMonitor);
  return (body: Parameters<typeof api.monitors.bulk.post>[0]) => change(api.monitors.bulk.post(body));
}

/** The monitors that notify a channel. */
export function ChannelMonitors({ channel: { id, boundMonitors } }: { channel: Channel }) {
  const [text, setText] = useState("");
  const mayWrite = useHasRole("admin");
  const { data, error } = useQuery(channelMonitorsQuery(id, useSettled(text)));
  const { monitors = [], matching = 0 } = data ?? {};
  const add = mayWrite && (
    <DialogButton label="Add monitors">
      {(onClose) => <AddMonitors channelId={id} onClose={onClose} />}
    </DialogButton>
  );
  return (
    <Card id="monitors" title="Monitors" aside={add}>
      {boundMonitors === 0 && <p className="text-muted">No monitor notifies this channel.</p>}
      {boundMonitors > 0 && (
        <input
          type="search"
          aria-label="Search for monitors of this channel"
          placeholder="Search by name, target or tag"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      )}
      <Failure error={error} />
      <ul className="channel-monitors" aria-label="Monitors of this channel">
        {monitors.map((monitor) => (
          <BoundMonitor key={monitor.id} monitor={monitor} channelId={mayWrite ? id : undefined} />
        ))}
      </ul>
      {data && boundMonitors > 0 && matching === 0 && <p className="text-muted">No monitor matches.</p>}
      {matching > monitors.length && (
        <p className="text-muted">
          The first {formatNumber(monitors.length)} of {formatNumber(matching)}. Search to find the others.
        </p>
      )}
    </Card>
  );
}

/** @property channelId undefined if the reader may not unbind it */
function BoundMonitor({ monitor, channelId }: { monitor: MonitorSummary; channelId: string | undefined }) {
  const { id, name } = monitor;
  const bind = useBinding();
  const { error, busy, run } = useAction();
  const remove = (channel: string) =>
    run(() => bind({ selector: { monitorIds: [id] }, change: { removeChannels: [channel] } }));
  return (
    <li>
      <StatusMark state={displayStateOf(monitor)} size={14} />
      <span className="visually-hidden">{monitorStatusLabel(monitor)}: </span>
      <Link className="text-wrap" href={`/monitors/${id}`}>
        {name}
      </Link>
      {channelId && (
        <button
          type="button"
          className="button-quiet button-small"
          aria-disabled={busy}
          onClick={() => remove(channelId)}
        >
          Remove<span className="visually-hidden"> {name}</span>
        </button>
      )}
      <Failure error={error} />
    </li>
  );
}

function AddMonitors({ channelId, onClose }: { channelId: string; onClose: () => void }) {
  const bind = useBinding();
  const add = async (data: FormData) => {
    await bind({ selector: selectorIn(data) as Selector, change: { addChannels: [channelId] } });
    onClose();
  };
  return (
    <Dialog title="Add monitors" onClose={onClose}>
      <Form check={(data) => selectorFaults(selectorIn(data))} onSubmit={add}>
        <SelectorFields stored={undefined} />
        <FormFailure />
        <DialogActions onClose={onClose}>
          <SubmitButton>Add</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
