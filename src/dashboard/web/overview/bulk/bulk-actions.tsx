import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import type { BulkChange } from "../../../../domain/monitors/bulk/bulk-request.ts";
import type { SaidFault } from "../../../../domain/schemas/validation.ts";
import { serviceLabel } from "../../alerts/service.ts";
import { tagsIn, tagsQuery } from "../../data/monitor-lists.ts";
import { channelsQuery, organizationQuery } from "../../data/query-keys.ts";
import { CheckList, RadioList, TagField } from "../../form/choices.tsx";
import { checkedValues } from "../../form/field-errors.ts";
import { FieldError } from "../../form/fields.tsx";
import { useForm } from "../../form/form.tsx";
import { pageFault } from "../../form/page-fault.ts";
import { tagFaults } from "../../form/validation.ts";
import { rich } from "../../languages/rich.tsx";
import { texts } from "../../languages/texts.ts";
import { IntervalField, intervalIn } from "../../monitors/config/interval-field.tsx";

/** A change of many monitors that the page offers. */
export interface BulkAction {
  /** The key of its texts. */
  name: keyof typeof texts.bulk.changes;
  fields?: () => ReactNode;
  /** The errors of the fields. */
  check: (data: FormData) => SaidFault[];
  /** The change that the fields name. */
  changeIn: (data: FormData) => BulkChange;
}

const noFields = { check: () => [] };

export const CHANGES: readonly BulkAction[] = [
  { name: "pause", ...noFields, changeIn: () => ({ enabled: false }) },
  { name: "resume", ...noFields, changeIn: () => ({ enabled: true }) },
  {
    name: "tags",
    fields: () => <TagsFields />,
    check(data) {
      const tags = tagsIn(data.get("tags"));
      return tags.length === 0 ? [pageFault("required", "tags", {})] : tagFaults(tags);
    },
    changeIn(data) {
      const tags = tagsIn(data.get("tags"));
      return adds(data) ? { addTags: tags } : { removeTags: tags };
    },
  },
  {
    name: "channels",
    fields: () => <ChannelsFields />,
    check: (data) => (data.has("channels") ? [] : [pageFault("noChannel", "channels", {})]),
    changeIn(data) {
      const channels = checkedValues(data, "channels");
      return adds(data) ? { addChannels: channels } : { removeChannels: channels };
    },
  },
  {
    name: "interval",
    fields: () => <PlanInterval />,
    check: (data) =>
      Number.isInteger(intervalOf(data)) ? [] : [pageFault("wholeSeconds", "config.interval", {})],
    changeIn: (data) => ({ interval: intervalOf(data) }),
  },
];

export const DELETION: BulkAction = { name: "delete", ...noFields, changeIn: () => ({ delete: true }) };

function adds(data: FormData): boolean {
  return data.get("mode") === "add";
}

function AddOrRemove() {
  const [mode, setMode] = useState<"add" | "remove">("add");
  const { mode: legend, modes } = texts.bulk.fields;
  const options = (["add", "remove"] as const).map((value) => ({ value, label: modes[value] }));
  return <RadioList legend={legend} name="mode" options={options} value={mode} onChange={setMode} />;
}

function TagsFields() {
  const { data: known = [] } = useQuery(tagsQuery);
  return (
    <>
      <AddOrRemove />
      <TagField name="tags" label={texts.bulk.fields.tags} tags={[]} known={known} />
    </>
  );
}

function ChannelsFields() {
  const { data: channels = [], isSuccess } = useQuery(channelsQuery);
  const error = useForm().errors.channels;
  return (
    <>
      <AddOrRemove />
      <CheckList
        legend={texts.bulk.fields.channels}
        name="channels"
        describedBy={error && "bulk-channels-error"}
        options={channels.map((channel) => ({
          value: channel.id,
          isChecked: false,
          label: (
            <>
              {channel.name} <span className="text-muted">{serviceLabel(channel)}</span>
            </>
          ),
        }))}
      >
        {isSuccess && channels.length === 0 && (
          <p className="text-hint">
            {rich(texts.bulk.fields.noChannels, { link: (text) => <Link href="/channels/new">{text}</Link> })}
          </p>
        )}
        <FieldError id="bulk-channels-error" error={error} />
        {/* Its name receives the error, also without channels. */}
        <input type="hidden" name="channels" disabled />
      </CheckList>
    </>
  );
}

function PlanInterval() {
  const { data } = useQuery(organizationQuery);
  return data ? <IntervalField stored={undefined} plan={data.plan} /> : null;
}

/** Seconds; not a whole number if the fields are wrong. */
function intervalOf(data: FormData): number {
  const text = intervalIn(checkedValues(data, "config.interval"));
  return text === "" ? Number.NaN : Number(text);
}
