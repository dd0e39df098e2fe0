import { useLocation } from "wouter";
import { api, type Channel } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { EditView } from "../form/edit-view.tsx";
import { ChannelFields, useChannelForm } from "./channel-fields.tsx";
import { UseFor, useCreateChannel } from "./new-channel.tsx";

export function NewChannel() {
  const [, navigate] = useLocation();
  const form = useChannelForm();
  const create = useCreateChannel();
  const save = async (data: FormData) => {
    const { id } = await create(form.valuesOf(data), data);
    navigate(`/channels/${id}`, { replace: true });
  };
  return (
    <EditView noun="channel" name={undefined} check={form.check} onSubmit={save} cancel="/channels">
      <ChannelFields {...form} />
      <UseFor />
    </EditView>
  );
}

export function EditChannel({ channel, onDone }: { channel: Channel; onDone: () => void }) {
  const form = useChannelForm(channel);
  const change = useChange(queryKeys.channels);
  const save = async (data: FormData) => {
    const { type: _, ...values } = form.valuesOf(data);
    await change(api.alerts({ id: channel.id }).patch(values));
    onDone();
  };
  return (
    <EditView
      noun="channel"
      name={channel.name}
      reference={channel.ref}
      check={form.check}
      onSubmit={save}
      cancel={onDone}
    >
      <ChannelFields {...form} />
    </EditView>
  );
}
