import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { planLimits } from "../../../domain/accounts/organization.ts";
import { SECOND } from "../../../domain/duration.ts";
import { serviceLabel } from "../alerts/service.ts";
import { useHasRole, useSession } from "../app/session.tsx";
import { ThemePicker } from "../app/theme-picker.tsx";
import { api, type Channel, type Organization } from "../data/api.ts";
import { channelsQuery, organizationQuery, queryKeys, serverQuery } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { CheckList } from "../form/choices.tsx";
import { checkedValues, textOf } from "../form/field-errors.ts";
import { NameField, SelectField } from "../form/fields.tsx";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { nameFaults } from "../form/validation.ts";
import { languageOptions } from "../languages/language-names.ts";
import { fill, texts } from "../languages/texts.ts";
import { Card, Fact } from "../ui/card.tsx";
import { formatDuration } from "../ui/durations.ts";
import { ListRow } from "../ui/list.tsx";
import { formatNumber } from "../ui/numbers.ts";
import { View } from "../ui/view.tsx";
import { WallLinks } from "../wall/wall-links.tsx";

export function Settings() {
  const mayManage = useHasRole("owner");
  const discovers = useSession()?.discovery;
  const organization = useQuery(organizationQuery);
  const channels = useQuery(channelsQuery);
  const server = useQuery(serverQuery);
  if (!organization.data || !channels.data || !server.data) {
    return (
      <View
        title={texts.accounts.settings.title}
        error={organization.error ?? channels.error ?? server.error}
      />
    );
  }
  return (
    <View title={texts.accounts.settings.title}>
      <OrganizationForm organization={organization.data} channels={channels.data} />
      {server.data.usesPlans && <PlanFacts organization={organization.data} />}
      <WallLinks />
      <ul className="list" aria-label={texts.accounts.settings.others}>
        <ListRow
          title={texts.accounts.settings.theme}
          details={<Detail>{texts.accounts.settings.themeHint}</Detail>}
        >
          <ThemePicker />
        </ListRow>
        <ListRow
          title={texts.people.language.title}
          href="/profile#language"
          details={<Detail>{texts.accounts.settings.languageHint}</Detail>}
        />
        <ListRow
          title={texts.accounts.settings.server}
          href="/settings/server"
          details={
            <Detail>{fill(texts.accounts.settings.serverHint, { version: server.data.version })}</Detail>
          }
        />
        {discovers && (
          <ListRow
            title={texts.accounts.settings.discovery}
            href="/discovery"
            details={<Detail>{texts.accounts.settings.discoveryHint}</Detail>}
          />
        )}
        <ListRow
          title={texts.accounts.settings.hindsight}
          href="/hindsight"
          details={<Detail>{texts.accounts.settings.hindsightHint}</Detail>}
        />
        {mayManage && (
          <ListRow
            title={texts.accounts.settings.audit}
            href="/settings/audit"
            details={<Detail>{texts.accounts.settings.auditHint}</Detail>}
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
    language: textOf(data, "language") as Organization["language"],
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
        <NameField label={texts.accounts.settings.organization} value={organization.name} />
        <CheckList
          legend={texts.accounts.settings.defaultChannels}
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
          {channels.length === 0 && <p className="text-hint">{texts.accounts.settings.noChannels}</p>}
        </CheckList>
        <SelectField
          name="language"
          label={texts.accounts.settings.messageLanguage}
          hint={texts.accounts.settings.messageLanguageHint}
          value={organization.language}
          options={languageOptions()}
        />
        <FormFailure />
        {mayWrite && (
          <div className="actions">
            <SubmitButton>{texts.accounts.settings.save}</SubmitButton>
            <span role="status">{saved && texts.accounts.settings.saved}</span>
          </div>
        )}
      </fieldset>
    </Form>
  );
}

function PlanFacts({ organization: { plan, subscription } }: { organization: Organization }) {
  const { monitors, channels, minimumInterval } = planLimits[plan];
  const words = texts.accounts.plan;
  const limit = (count: number) => (Number.isFinite(count) ? formatNumber(count) : words.noLimit);
  return (
    <Card id="plan" title={words.title}>
      <dl className="facts">
        <Fact name={words.name}>{words.names[plan]}</Fact>
        <Fact name={words.subscription}>{words.states[subscription]}</Fact>
        <Fact name={words.monitors}>{limit(monitors)}</Fact>
        <Fact name={words.channels}>{limit(channels)}</Fact>
        <Fact name={words.interval}>{formatDuration(minimumInterval * SECOND)}</Fact>
      </dl>
    </Card>
  );
}
