import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { api, getData } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { channelsQuery, unnotifiedQuery } from "../data/shared-queries.ts";
import { Cancel } from "../form/edit-view.tsx";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { checkedValues } from "../form/form-values.ts";
import { formatCount } from "../ui/numbers.ts";
import { View } from "../ui/view.tsx";
import { useBinding } from "./channel-monitors.tsx";
import { ChannelChoices, noneFaults } from "./choose-channels.tsx";
import { NewChannelDialog } from "./new-channel.tsx";

const SILENT = { selector: { withoutChannels: true as const } };

/** Lists the monitors that notify nobody, and binds all of them to channels (behavior 16.267). */
export function ChooseView() {
  const [, navigate] = useLocation();
  const [creates, setCreates] = useState(false);
  const { data: channels, error } = useQuery(channelsQuery);
  const { data: count = 0 } = useQuery(unnotifiedQuery);
  const bind = useBinding();
  if (!channels) return <View title="Choose channels" error={error} />;
  const save = async (data: FormData) => {
    await bind({ ...SILENT, change: { addChannels: checkedValues(data, "change.addChannels") } });
    navigate("/", { replace: true });
  };
  return (
    <View title="Choose channels">
      <p className="text-lead">
        {count > 0
          ? `If one of ${formatCount(count, "monitor")} goes down, nobody is notified.`
          : "Each enabled monitor notifies somebody."}
      </p>
      {channels[0] && <SilentMonitors count={count} channelId={channels[0].id} />}
      <Form className="form card" check={noneFaults} onSubmit={save}>
        <ChannelChoices channels={channels.filter(({ enabled }) => enabled)} />
        <FormFailure />
        <div className="actions">
          <SubmitButton>Notify these channels</SubmitButton>
          <button type="button" onClick={() => setCreates(true)}>
            New channel
          </button>
          <Cancel to="/" />
        </div>
      </Form>
      {creates && <NewChannelDialog onCreated={() => {}} onClose={() => setCreates(false)} />}
    </View>
  );
}

/** @property channelId any channel: what would change with it names the monitors */
function SilentMonitors({ count, channelId }: { count: number; channelId: string }) {
  const { data: { changed } = { changed: [] } } = useQuery({
    queryKey: [...queryKeys.unnotified, channelId],
    queryFn: () => {
      const change = { addChannels: [channelId] };
      return getData(api.monitors.bulk.post({ ...SILENT, change }, { query: { dryRun: "true" } }));
    },
  });
  return (
    <ul className="silent-monitors">
      {changed.map(({ id, name }) => (
        <li key={id}>
          <Link href={`/monitors/${id}`}>{name}</Link>
        </li>
      ))}
      {changed.length > 0 && count > changed.length && (
        <li>and {formatCount(count - changed.length, "other")}</li>
      )}
    </ul>
  );
}
