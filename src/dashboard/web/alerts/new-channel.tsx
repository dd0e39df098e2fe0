import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { type AlertOutcome, api, type Channel, getData } from "../data/api.ts";
import { countedMonitorsQuery } from "../data/monitor-lists.ts";
import { changedByMonitor, channelsQuery, invalidate, queryKeys } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { CheckList } from "../form/choices.tsx";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { named } from "../languages/rich.tsx";
import { fill, plural, texts } from "../languages/texts.ts";
import { noteTestedChannel } from "../overview/steps-memory.ts";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { Failure, useAction } from "../ui/filters.tsx";
import { changeMany } from "../ui/undo.tsx";
import { ChannelFields, type ChannelValues, useChannelForm } from "./channel-fields.tsx";

/** The monitors that a new channel is for. The first channel is for everything, unless the reader says otherwise (behavior 16.268). */
export function UseFor() {
  const monitors = useQuery(countedMonitorsQuery).data ?? 0;
  const channels = useQuery(channelsQuery).data;
  if (!channels) return null;
  const isChecked = channels.length === 0;
  const words = texts.alerts.useFor;
  const all = { value: "all", label: plural(words.all, monitors), isChecked };
  return (
    <CheckList
      legend={words.title}
      name="useFor"
      options={[...(monitors > 0 ? [all] : []), { value: "new", label: words.new, isChecked }]}
    />
  );
}

/** Queries that a new channel changes with its uses. */
const CHANGED = [queryKeys.channels, queryKeys.organization, ...changedByMonitor];

/** Creates a channel, and uses it as the form says. After an error, the next attempt continues with the created channel. */
export function useCreateChannel() {
  const queries = useQueryClient();
  const change = useChange(...CHANGED);
  const created = useRef<{ id: string }>(null);
  return async (values: ChannelValues, data: FormData, onCreated?: (channel: { id: string }) => unknown) => {
    const { type, ...changes } = values;
    const channel = created.current
      ? await getData(api.alerts({ id: created.current.id }).patch(changes))
      : await getData(api.alerts.post(values));
    created.current = channel;
    await onCreated?.(channel);
    const uses = data.getAll("useFor");
    if (uses.includes("all"))
      await changeMany(change, { selector: { all: true }, change: { addChannels: [channel.id] } });
    if (uses.includes("new")) await useForNew(channel.id);
    await invalidate(queries, CHANGED);
    return channel;
  };
}

async function useForNew(id: string): Promise<void> {
  const { defaultAlertChannelIds } = await getData(api.organization.get());
  if (defaultAlertChannelIds.includes(id)) return;
  await getData(api.organization.patch({ defaultAlertChannelIds: [...defaultAlertChannelIds, id] }));
}

interface DialogProps {
  onCreated: (channel: { id: string }) => unknown;
  onClose: () => void;
}

/** Creates a channel without leaving the view, and then offers a test. */
export function NewChannelDialog({ onCreated, onClose }: DialogProps) {
  const [channel, setChannel] = useState<Pick<Channel, "id" | "name">>();
  const form = useChannelForm();
  const create = useCreateChannel();
  const submit = async (data: FormData) => setChannel(await create(form.valuesOf(data), data, onCreated));
  if (channel) {
    return (
      <Dialog title={named(texts.alerts.created.title, channel.name)} onClose={onClose}>
        <SendTest id={channel.id} />
        <DialogActions close={texts.alerts.created.done} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog title={texts.form.newView.channel.title} onClose={onClose}>
      <Form check={form.check} onSubmit={submit}>
        <ChannelFields {...form} />
        <UseFor />
        <FormFailure />
        <DialogActions onClose={onClose}>
          <SubmitButton>{texts.form.newView.channel.create}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** Sends a sample notification and shows its outcome. */
export function SendTest({ id }: { id: string }) {
  const { error, busy, run } = useAction();
  const [outcome, setOutcome] = useState<AlertOutcome | null>(null);
  const words = texts.alerts.test;
  const send = async () => {
    setOutcome(null);
    const sent = await getData(api.alerts({ id }).test.post());
    if (sent.status === "delivered") noteTestedChannel();
    setOutcome(sent);
  };
  return (
    <div className="action-outcome">
      <button type="button" disabled={busy} onClick={() => run(send)}>
        {busy ? words.sending : words.send}
      </button>
      <div role="status">
        {outcome && <p className={`outcome-${outcome.status}`}>{describeOutcome(outcome)}</p>}
      </div>
      <Failure error={busy ? undefined : error} />
    </div>
  );
}

function describeOutcome({ status, channels: [channel] }: AlertOutcome): string {
  const { delivered, failed, failedUnknown } = texts.alerts.test;
  if (status === "delivered") return delivered;
  return channel?.error ? fill(failed, { error: channel.error }) : failedUnknown;
}
