import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { planLimits } from "../../domain/organization.ts";
import { ask, type Channel, type Organization } from "./api.ts";
import { Fact } from "./facts.tsx";
import { Field, focusWrong, type Refused, refusedBy, textOf } from "./fields.tsx";
import { Failure, View } from "./parts.tsx";
import { useMay } from "./session.tsx";
import { channelTypeWords } from "./words.ts";

export function Settings() {
  const organization = useQuery({
    queryKey: ["organization"],
    queryFn: () => ask<Organization>("GET", "/organization"),
  });
  const channels = useQuery({ queryKey: ["channels"], queryFn: () => ask<Channel[]>("GET", "/alerts") });
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
  const [refused, setRefused] = useState<Refused | null>(null);
  const [saved, setSaved] = useState(false);
  const mayWrite = useMay("admin");
  const queries = useQueryClient();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    setSaved(false);
    try {
      await ask("PATCH", "/organization", {
        name: textOf(data, "name") ?? "",
        defaultAlertChannelIds: data.getAll("defaultAlertChannelIds"),
      });
      setRefused(null);
      setSaved(true);
      await queries.invalidateQueries({ queryKey: ["organization"] });
    } catch (error) {
      setRefused(refusedBy(error, ["name"]));
      focusWrong(form);
    }
  };
  return (
    <form className="form card" onSubmit={submit} noValidate>
      <fieldset className="bare" disabled={!mayWrite}>
        <Field name="name" label="Organization" refused={refused}>
          {(props) => <input {...props} defaultValue={organization.name} autoComplete="off" />}
        </Field>
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
        {refused?.field === null && (
          <p className="failure" role="alert">
            {refused.words}
          </p>
        )}
        {mayWrite && (
          <div className="actions">
            <button type="submit" className="primary">
              Save
            </button>
            <span role="status">{saved && "Saved."}</span>
          </div>
        )}
      </fieldset>
    </form>
  );
}

function PlanFacts({ organization: { plan, subscription } }: { organization: Organization }) {
  const { monitors, channels, minimumInterval } = planLimits[plan];
  const limit = (count: number) => (Number.isFinite(count) ? count.toLocaleString("en") : "no limit");
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
