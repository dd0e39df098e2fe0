import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { Link } from "wouter";
import type { BulkSelector } from "../../../domain/monitors/bulk/bulk-request.ts";
import { displayStateOf } from "../../../domain/monitors/display-state.ts";
import type { Selector } from "../../../domain/monitors/selector.ts";
import type { SaidFault } from "../../../domain/schemas/validation.ts";
import { useHasRole } from "../app/session.tsx";
import { api, type Channel, getData, type MonitorSummary } from "../data/api.ts";
import { changedByMonitor, channelsQuery, queryKeys } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { useSettled } from "../data/use-settled.ts";
import { CheckList } from "../form/choices.tsx";
import { checkedValues } from "../form/field-errors.ts";
import { FieldError } from "../form/fields.tsx";
import { Form, FormFailure, SubmitButton, useForm } from "../form/form.tsx";
import { pageFault } from "../form/page-fault.ts";
import { hidden, rich } from "../languages/rich.tsx";
import { fill, texts } from "../languages/texts.ts";
import { SelectorFields, selectorFaults, selectorIn } from "../maintenance/selector-fields.tsx";
import { monitorStatusLabel, StatusMark } from "../status/status-mark.tsx";
import { Card } from "../ui/card.tsx";
import { Dialog, DialogActions, DialogButton } from "../ui/dialog.tsx";
import { Failure, useAction } from "../ui/filters.tsx";
import { changeMany } from "../ui/undo.tsx";
import { NewChannelDialog } from "./new-channel.tsx";
import { serviceLabel } from "./service.ts";

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

/** Binds monitors to channels, or unbinds them, and offers to undo it. */
export function useBinding() {
  const change = useChange(queryKeys.channels, ...changedByMonitor);
  return (body: Parameters<typeof changeMany>[1]) => changeMany(change, body);
}

/** The monitors that notify a channel. */
export function ChannelMonitors({ channel: { id, boundMonitors } }: { channel: Channel }) {
  const [text, setText] = useState("");
  const mayWrite = useHasRole("admin");
  const { data, error } = useQuery(channelMonitorsQuery(id, useSettled(text)));
  const { monitors = [], matching = 0 } = data ?? {};
  const words = texts.alerts.monitors;
  const add = mayWrite && (
    <DialogButton label={words.addTitle}>
      {(onClose) => <AddMonitors channelId={id} onClose={onClose} />}
    </DialogButton>
  );
  return (
    <Card id="monitors" title={words.title} aside={add}>
      {boundMonitors === 0 && <p className="text-muted">{words.none}</p>}
      {boundMonitors > 0 && (
        <input
          type="search"
          aria-label={words.search}
          placeholder={texts.form.picker.placeholder}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      )}
      <Failure error={error} />
      <ul className="channel-monitors" aria-label={words.list}>
        {monitors.map((monitor) => (
          <BoundMonitor key={monitor.id} monitor={monitor} channelId={mayWrite ? id : undefined} />
        ))}
      </ul>
      {data && boundMonitors > 0 && matching === 0 && <p className="text-muted">{texts.form.picker.none}</p>}
      {matching > monitors.length && (
        <p className="text-muted">{fill(words.first, { shown: monitors.length, count: matching })}</p>
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
      {rich(texts.alerts.monitors.monitor, {
        status: monitorStatusLabel(monitor),
        name,
        hidden,
        link: (text) => (
          <Link className="text-wrap" href={`/monitors/${id}`}>
            {text}
          </Link>
        ),
      })}
      {channelId && (
        <button
          type="button"
          className="button-quiet button-small"
          aria-disabled={busy}
          onClick={() => remove(channelId)}
        >
          {rich(texts.form.picker.remove, { name, hidden })}
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
    <Dialog title={texts.alerts.monitors.addTitle} onClose={onClose}>
      <Form check={(data) => selectorFaults(selectorIn(data))} onSubmit={add}>
        <SelectorFields stored={undefined} />
        <FormFailure />
        <DialogActions onClose={onClose}>
          <SubmitButton>{texts.alerts.monitors.add}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

interface Props {
  /** The monitors that get the channels. */
  selector: BulkSelector;
  /** Says which monitors these are. */
  children: ReactNode;
  onClose: () => void;
}

/** Binds monitors that notify nobody to channels, in a dialog. Without channels, the reader creates one first. */
export function ChooseChannels({ selector, children, onClose }: Props) {
  const { data, error } = useQuery(channelsQuery);
  const bind = useBinding();
  // It stays a creation after the channel exists, because its dialog offers a test.
  const isCreation = useRef(false);
  const channels = data?.filter(({ enabled }) => enabled);
  if (channels?.length === 0) isCreation.current = true;
  if (isCreation.current) {
    const use = ({ id }: { id: string }) => bind({ selector, change: { addChannels: [id] } });
    return <NewChannelDialog onCreated={use} onClose={onClose} />;
  }
  const save = async (data: FormData) => {
    await bind({ selector, change: { addChannels: checkedValues(data, "change.addChannels") } });
    onClose();
  };
  return (
    <Dialog title={texts.alerts.choose.title} onClose={onClose}>
      <p>{children}</p>
      <Failure error={error} />
      <Form check={noneFaults} onSubmit={save}>
        <ChannelChoices channels={channels ?? []} />
        <FormFailure />
        <DialogActions onClose={onClose}>
          <SubmitButton>{texts.alerts.choose.submit}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** The fault of a form without a selected channel. */
export function noneFaults(data: FormData): SaidFault[] {
  return data.has("change.addChannels") ? [] : [pageFault("noChannel", "change.addChannels", {})];
}

/** The channels that monitors are bound to. The only one is selected at first. */
export function ChannelChoices({ channels }: { channels: readonly Channel[] }) {
  const error = useForm().errors["change.addChannels"];
  return (
    <CheckList
      legend={texts.alerts.choose.channels}
      name="change.addChannels"
      options={channels.map((channel) => ({
        value: channel.id,
        isChecked: channels.length === 1,
        label: (
          <>
            {channel.name} <span className="text-muted">{serviceLabel(channel)}</span>
          </>
        ),
      }))}
      describedBy={error && "channels-error"}
    >
      <FieldError id="channels-error" error={error} />
    </CheckList>
  );
}
