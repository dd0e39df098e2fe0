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
import { IntervalField, intervalIn } from "../../monitors/config/interval-field.tsx";

/** A change of many monitors that the page offers. */
export interface BulkAction {
  /** The label of its button. */
  label: string;
  /** Such as `Change`, and after it `Changed`. */
  verb: string;
  did: string;
  /** Between the verb and the monitors, such as ` the tags of`. */
  of?: string;
  note?: string;
  deletes?: true;
  fields?: () => ReactNode;
  /** The errors of the fields. */
  check: (data: FormData) => SaidFault[];
  /** The change that the fields name. */
  changeIn: (data: FormData) => BulkChange;
}

const noFields = { check: () => [] };
const changed = { verb: "Change", did: "Changed" };

export const CHANGES: readonly BulkAction[] = [
  {
    label: "Pause",
    verb: "Pause",
    did: "Paused",
    note: "Checks and notifications stop until you resume the monitors.",
    ...noFields,
    changeIn: () => ({ enabled: false }),
  },
  { label: "Resume", verb: "Resume", did: "Resumed", ...noFields, changeIn: () => ({ enabled: true }) },
  {
    label: "Tags",
    ...changed,
    of: " the tags of",
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
    label: "Channels",
    ...changed,
    of: " the channels of",
    fields: () => <ChannelsFields />,
    check: (data) => (data.has("channels") ? [] : [pageFault("noChannel", "channels", {})]),
    changeIn(data) {
      const channels = checkedValues(data, "channels");
      return adds(data) ? { addChannels: channels } : { removeChannels: channels };
    },
  },
  {
    label: "Interval",
    ...changed,
    of: " the interval of",
    note: "A monitor of a job has no interval, and stays the same.",
    fields: () => <PlanInterval />,
    check: (data) =>
      Number.isInteger(intervalOf(data)) ? [] : [pageFault("wholeSeconds", "config.interval", {})],
    changeIn: (data) => ({ interval: intervalOf(data) }),
  },
];

export const DELETION: BulkAction = {
  label: "Delete",
  verb: "Delete",
  did: "Deleted",
  note: "All their results, their history and their uptime are deleted. You can undo this for ten seconds.",
  deletes: true,
  ...noFields,
  changeIn: () => ({ delete: true }),
};

const ADDS_OR_REMOVES = [
  { value: "add", label: "Add" },
  { value: "remove", label: "Remove" },
] as const;

function adds(data: FormData): boolean {
  return data.get("mode") === "add";
}

function AddOrRemove() {
  const [mode, setMode] = useState<"add" | "remove">("add");
  return (
    <RadioList legend="What to do" name="mode" options={ADDS_OR_REMOVES} value={mode} onChange={setMode} />
  );
}

function TagsFields() {
  const { data: known = [] } = useQuery(tagsQuery);
  return (
    <>
      <AddOrRemove />
      <TagField name="tags" label="Tags" tags={[]} known={known} />
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
        legend="Channels"
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
            No channels yet. <Link href="/channels/new">Create a channel</Link>.
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
