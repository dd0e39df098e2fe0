import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { planLimits } from "../../../domain/accounts/organization.ts";
import { serviceLabel } from "../alerts/service.ts";
import { useHasRole } from "../app/session.tsx";
import { ThemePicker } from "../app/theme-picker.tsx";
import { api, type Channel, type Organization } from "../data/api.ts";
import { channelsQuery, organizationQuery, queryKeys, serverQuery } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { CheckList } from "../form/choices.tsx";
import { checkedValues, textOf } from "../form/field-errors.ts";
import { NameField } from "../form/fields.tsx";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { nameFaults } from "../form/validation.ts";
import { Card, Fact } from "../ui/card.tsx";
import { ListRow } from "../ui/list.tsx";
import { formatNumber } from "../ui/numbers.ts";
import { View } from "../ui/view.tsx";
import { WallLinks } from "../wall/wall-links.tsx";

export function Settings() {
  const mayManage = useHasRole("owner");
  const organization = useQuery(organizationQuery);
  const channels = useQuery(channelsQuery);
  const server = useQuery(serverQuery);
  if (!organization.data || !channels.data || !server.data) {
    return <View title="Settings" error={organization.error ?? channels.error ?? server.error} />;
  }
  return (
    <View title="Settings">
      <OrganizationForm organization={organization.data} channels={channels.data} />
      {server.data.usesPlans && <PlanFacts organization={organization.data} />}
      <WallLinks />
      <ul className="list" aria-label="Other settings">
        <ListRow title="Theme" details={<Detail>Of this browser. The wall is always dark.</Detail>}>
          <ThemePicker />
        </ListRow>
        <ListRow
          title="Server"
          href="/settings/server"
          details={<Detail>stillup {server.data.version}: updates, e-mail and data of the server.</Detail>}
        />
        <ListRow
          title="What would have been"
          href="/hindsight"
          details={<Detail>Other confirmations, delays or hours, tried on the last days.</Detail>}
        />
        {mayManage && (
          <ListRow
            title="Audit log"
            href="/settings/audit"
            details={<Detail>Who changed what, and when.</Detail>}
          />
        )}
      </ul>
    </View>
  );
}

function Detail({ children }: { children: ReactNode }) {
  return <span className="list-row-note">{children}</span>;
}

function OrganizationForm({ organization, channels }: { organization: Organization; channels: Channel[] }) {
  const [saved, setSaved] = useState(false);
  const mayWrite = useHasRole("admin");
  const change = useChange(queryKeys.organization);
  const valuesOf = (data: FormData) => ({
    name: textOf(data, "name") ?? "",
    defaultAlertChannelIds: checkedValues(data, "defaultAlertChannelIds"),
  });
  const save = async (data: FormData) => {
    setSaved(false);
    await change(api.organization.patch(valuesOf(data)));
    setSaved(true);
  };
  return (
    <Form
      className="form card"
      keepsDraft={mayWrite}
      check={(data) => nameFaults(valuesOf(data).name)}
      onSubmit={save}
    >
      <fieldset className="form-fields" disabled={!mayWrite}>
        <NameField label="Organization" value={organization.name} />
        <CheckList
          legend="Channels of new monitors"
          name="defaultAlertChannelIds"
          options={channels.map((channel) => ({
            value: channel.id,
            isChecked: organization.defaultAlertChannelIds.includes(channel.id),
            label: (
              <>
                {channel.name} <span className="text-muted">{serviceLabel(channel)}</span>
              </>
            ),
          }))}
        >
          {channels.length === 0 && <p className="text-hint">No channels yet.</p>}
        </CheckList>
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
  const limit = (count: number) => (Number.isFinite(count) ? formatNumber(count) : "no limit");
  return (
    <Card id="plan" title="Plan">
      <dl className="facts">
        <Fact name="Plan">{plan}</Fact>
        <Fact name="Subscription">{subscription}</Fact>
        <Fact name="Monitors">{limit(monitors)}</Fact>
        <Fact name="Channels">{limit(channels)}</Fact>
        <Fact name="Shortest interval">{minimumInterval} s</Fact>
      </dl>
    </Card>
  );
}
