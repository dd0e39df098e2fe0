import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { serviceLabel } from "../alerts/service.ts";
import { api, type Me } from "../data/api.ts";
import { channelsQuery, queryKeys } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { CheckList } from "../form/choices.tsx";
import { checkedValues } from "../form/field-errors.ts";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { texts } from "../languages/texts.ts";
import { Card } from "../ui/card.tsx";
import { Failure } from "../ui/filters.tsx";

/** The own channels of the reader (behavior 23.40). */
export function OwnChannels({ me: { alertChannelIds } }: { me: Me }) {
  const [saved, setSaved] = useState(false);
  const change = useChange(queryKeys.me, queryKeys.people);
  const save = async (data: FormData) => {
    setSaved(false);
    await change(api.me.patch(ownChannelsIn(data)));
    setSaved(true);
  };
  return (
    <Card id="own-channels" title={texts.people.channels.title}>
      <Form className="form form-fields" check={() => []} onSubmit={save}>
        <OwnChannelsField chosen={alertChannelIds} />
        <FormFailure />
        <div className="actions">
          <SubmitButton>{texts.people.channels.save}</SubmitButton>
          <span role="status">{saved && texts.people.channels.saved}</span>
        </div>
      </Form>
    </Card>
  );
}

/** The channels on which a person is notified while they are on call. */
export function OwnChannelsField({ chosen }: { chosen: readonly string[] }) {
  const { data: channels, error } = useQuery(channelsQuery);
  if (!channels) return <Failure error={error} />;
  return (
    <CheckList
      legend={texts.people.channels.label}
      name="alertChannelIds"
      options={channels.map((channel) => ({
        value: channel.id,
        isChecked: chosen.includes(channel.id),
        label: (
          <>
            {channel.name} <span className="text-muted">{serviceLabel(channel)}</span>
          </>
        ),
      }))}
    >
      {/* The form has this value once it offers channels, even if none is selected. */}
      <input type="hidden" name="hasChannels" />
      {channels.length === 0 && <p className="text-hint">{texts.people.channels.none}</p>}
    </CheckList>
  );
}

/** The own channels in the form; no field while it does not offer any. */
export function ownChannelsIn(data: FormData): { alertChannelIds?: string[] } {
  return data.has("hasChannels") ? { alertChannelIds: checkedValues(data, "alertChannelIds") } : {};
}
