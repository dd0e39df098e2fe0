import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { planLimits } from "../../domain/accounts/organization.ts";
import { api, ask, type Channel, type Organization } from "./api.ts";
import { nameFaults } from "./checks.ts";
import { Fact } from "./facts.tsx";
import { NameField, textOf, ticked } from "./fields.tsx";
import { Form, FormFailure, SubmitButton } from "./form.tsx";
import { Failure, View } from "./parts.tsx";
import { channelsQuery, organizationQuery } from "./queries.ts";
import { useMay } from "./session.tsx";
import { channelTypeWords, numberWords } from "./words.ts";

export function Settings() {
  const organization = useQuery(organizationQuery);
  const channels = useQuery(channelsQuery);
  if (!organization.data || !channels.data) {
    return (
      <View title="Settings">
        <Failure error={organization.error ?? channels.error} />
      </View>
    );
  }
  return (
    <View title="Settings">
      <OrganizationForm organization={organization.data} channels={channels.data} />
      <PlanFacts organization={organization.data} />
    </View>
  );
}

function OrganizationForm({ organization, channels }: { organization: Organization; channels: Channel[] }) {
  const [saved, setSaved] = useState(false);
  const mayWrite = useMay("admin");
  const queries = useQueryClient();
  const valuesOf = (data: FormData) => ({
    name: textOf(data, "name") ?? "",
    defaultAlertChannelIds: ticked(data, "defaultAlertChannelIds"),
  });
  const save = async (data: FormData) => {
    setSaved(false);
    await ask(api.organization.patch(valuesOf(data)));
    setSaved(true);
    await queries.invalidateQueries({ queryKey: ["organization"] });
  };
  return (
    <Form className="form card" check={(data) => nameFaults(valuesOf(data).name)} onSubmit={save}>
      <fieldset className="bare" disabled={!mayWrite}>
        <NameField label="Organization" value={organization.name} />
        <fieldset className="ticks">
          <legend>Channels of new monitors</legend>
          {channels.length === 0 && <p className="hint">No channel yet.</p>}
          {channels.map(({ id, name, type }) => (
            <label key={id}>
              <input
                type="checkbox"
                name="defaultAlertChannelIds"
                value={id}
                defaultChecked={organization.defaultAlertChannelIds.includes(id)}
              />
              {name} <span className="muted">{channelTypeWords[type]}</span>
            </label>
          ))}
        </fieldset>
        <FormFailure />
        {mayWrite && (
          <div className="actions">
            <SubmitButton>Save</SubmitButton>
            <span role="status">{saved && "Saved."}</span>
          </div>
        )}
      </fieldset>
    </Form>
  );
}

function PlanFacts({ organization: { plan, subscription } }: { organization: Organization }) {
  const { monitors, channels, minimumInterval } = planLimits[plan];
  const limit = (count: number) => (Number.isFinite(count) ? numberWords(count) : "no limit");
  return (
    <section className="card" aria-labelledby="plan">
      <h2 id="plan">Plan</h2>
      <dl className="facts">
        <Fact name="Plan">{plan}</Fact>
        <Fact name="Subscription">{subscription}</Fact>
        <Fact name="Monitors">{limit(monitors)}</Fact>
        <Fact name="Channels">{limit(channels)}</Fact>
        <Fact name="Shortest interval">{minimumInterval} s</Fact>
      </dl>
    </section>
  );
}
