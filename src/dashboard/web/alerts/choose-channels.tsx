import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useRef } from "react";
import type { BulkSelector } from "../../../domain/monitors/bulk/bulk-request.ts";
import type { Channel } from "../data/api.ts";
import { channelsQuery } from "../data/shared-queries.ts";
import { CheckList } from "../form/choices.tsx";
import { FieldError } from "../form/fields.tsx";
import { Form, FormFailure, SubmitButton, useForm } from "../form/form.tsx";
import { checkedValues } from "../form/form-values.ts";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { Failure } from "../ui/failure.tsx";
import { useBinding } from "./channel-monitors.tsx";
import { NewChannelDialog } from "./new-channel.tsx";
import { serviceLabel } from "./service.ts";

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
    <Dialog title="Choose channels" onClose={onClose}>
      <p>{children}</p>
      <Failure error={error} />
      <Form check={noneFaults} onSubmit={save}>
        <ChannelChoices channels={channels ?? []} />
        <FormFailure />
        <DialogActions onClose={onClose}>
          <SubmitButton>Notify these channels</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** A sentence of the API if no channel is selected. */
export function noneFaults(data: FormData): string[] {
  return data.has("change.addChannels") ? [] : ["change.addChannels select a channel"];
}

/** The channels that monitors are bound to. The only one is selected at first. */
export function ChannelChoices({ channels }: { channels: readonly Channel[] }) {
  const error = useForm().errors["change.addChannels"];
  return (
    <CheckList
      legend="Channels to notify"
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
