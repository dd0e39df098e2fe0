import { useState } from "react";
import { Link } from "wouter";
import type { DownWhen } from "../../../domain/locations/location.ts";
import type { Placement } from "../../../domain/locations/place.ts";
import { type Confirmation, UNCONFIRMED } from "../../../domain/monitors/confirmation.ts";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import { useHasRole } from "../app/session.tsx";
import type { Config, Location } from "../data/api.ts";
import { CheckList } from "../form/choices.tsx";
import { checkedValues } from "../form/field-errors.ts";
import { FieldError, SelectField } from "../form/fields.tsx";
import { useForm } from "../form/form.tsx";
import { rich } from "../languages/rich.tsx";
import { plural, texts } from "../languages/texts.ts";
import { HERE, locationLabel } from "../locations/location-label.ts";
import { conditionOf } from "../locations/location-list.tsx";
import { isUnfollowedRedirect, redirectsField } from "../status/unfollowed-redirect.ts";
import type { SelectOption } from "../ui/filters.tsx";

const MAX_CONFIRMATIONS = 10;

interface ConfirmationProps {
  type: MonitorType;
  numbers?: Confirmation;
  /** The option in place of `numbers`. */
  unchanged?: SelectOption;
}

/** How many further checks confirm a change of the status. */
export function ConfirmationFields({ type, numbers, unchanged }: ConfirmationProps) {
  const isJob = type === "SCHEDULED";
  return (
    <div className="field-halves">
      <Choice
        name="confirmations"
        label={texts.bindings.confirmation.label}
        {...{ value: numbers?.confirmations, unchanged }}
        immediate={isJob ? texts.bindings.confirmation.atOnceOfJob : texts.bindings.confirmation.atOnce}
        further={isJob ? texts.bindings.confirmation.furtherOfJob : texts.bindings.confirmation.further}
        hint={isJob ? undefined : texts.bindings.confirmation.hint}
      />
      <Choice
        name="recoveries"
        label={texts.bindings.confirmation.recovery}
        {...{ value: numbers?.recoveries, unchanged }}
        immediate={isJob ? texts.bindings.confirmation.recoveryOfJob : texts.bindings.confirmation.atOnce}
        further={
          isJob ? texts.bindings.confirmation.recoveryFurtherOfJob : texts.bindings.confirmation.further
        }
      />
    </div>
  );
}

interface ChoiceProps {
  name: keyof Confirmation;
  label: string;
  value: number | undefined;
  unchanged: SelectOption | undefined;
  /** The option without a confirmation. */
  immediate: string;
  /** The options with a number of further checks, runs or failures. */
  further: { one: string; other: string };
  hint?: string | undefined;
}

function Choice({ immediate, further, unchanged, ...field }: ChoiceProps) {
  const others = Array.from({ length: MAX_CONFIRMATIONS }, (_, at) => ({
    value: at + 1,
    label: plural(further, at + 1),
  }));
  const options = [...(unchanged ? [unchanged] : []), { value: 0, label: immediate }, ...others];
  return <SelectField {...field} options={options} />;
}

/** Initial values for a new monitor. */
export function offeredNumbers(type: MonitorType): Confirmation {
  return type === "HTTP" ? { ...UNCONFIRMED, confirmations: 1 } : UNCONFIRMED;
}

export function confirmationOf(data: FormData): Confirmation {
  return {
    confirmations: Number(data.get("confirmations") ?? 0),
    recoveries: Number(data.get("recoveries") ?? 0),
  };
}

interface Props {
  /** All locations except this server. */
  locations: Location[];
  chosen: Placement;
}

/** Where a monitor is checked from. Nothing if there is only this server. */
export function LocationFields({ locations, chosen }: Props) {
  const [count, setCount] = useState(chosen.locations.length);
  const error = useForm().errors.locations;
  if (locations.length === 0) return null;
  return (
    <>
      <CheckList
        legend={texts.bindings.locations.legend}
        name="locations"
        options={[
          { value: HERE, label: locationLabel(HERE), isChecked: chosen.locations.includes(HERE) },
          ...locations.map((location) => ({
            value: location.id,
            label: <LocationLabel location={location} />,
            isChecked: chosen.locations.includes(location.id),
          })),
        ]}
        describedBy={error && "locations-error"}
        onCount={setCount}
      >
        <FieldError
          id="locations-error"
          error={error && count === 0 ? texts.bindings.locations.none : error}
        />
      </CheckList>
      <Votes count={count} stored={chosen.downWhen} />
    </>
  );
}

function LocationLabel({ location }: { location: Location }) {
  const { label, effect } = conditionOf(location);
  return (
    <>
      <span className="text-wrap">{location.name}</span>
      {effect && <span className="text-muted">{label}</span>}
    </>
  );
}

/** Hidden while one location decides alone; the value of the field is sent nevertheless. */
function Votes({ count, stored }: { count: number; stored: Placement["downWhen"] }) {
  return (
    <div hidden={count < 2}>
      <SelectField
        name="downWhen"
        label={texts.bindings.locations.votes}
        hint={texts.bindings.locations.votesHint}
        value={stored}
        options={offeredVotes(count, stored).map((value) => ({ value, label: describeVotes(value) }))}
      />
    </div>
  );
}

/** The value of a new monitor. Repeated for the same reason as `HERE`. */
export const ONLY_HERE: Placement = { locations: [HERE], downWhen: "majority" };

/**
 * The values of the form. Nothing if it does not offer locations.
 *
 * @param stored the locations before, whose order stays, because their slots depend on it
 */
export function chosenOf(data: FormData, stored: string[] = []): Partial<Placement> {
  const text = data.get("downWhen");
  if (text === null) return {};
  const checked = checkedValues(data, "locations");
  const kept = stored.filter((id) => checked.includes(id));
  const downWhen = /^\d+$/.test(String(text)) ? Number(text) : (text as DownWhen);
  return { locations: [...kept, ...checked.filter((id) => !kept.includes(id))], downWhen };
}

/** The values that the form offers for `downWhen`. @param count how many locations check the monitor */
export function offeredVotes(count: number, stored: DownWhen): DownWhen[] {
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  // 1 is the same as "any", and the count is the same as "all".
  const offered = numbers.filter((votes) => votes === stored || (votes > 1 && votes < count));
  return ["majority", "any", "all", ...offered];
}

export function describeVotes(votes: DownWhen): string {
  if (typeof votes === "number") return plural(texts.bindings.locations.atLeast, votes);
  return texts.bindings.locations[votes];
}

/** A way out for a monitor that is Down because it follows no redirects. @property detail of the result */
export function FollowRedirects({ id, detail }: { id: string; detail: Config | null | undefined }) {
  const mayWrite = useHasRole("admin");
  if (!mayWrite || !isUnfollowedRedirect(detail)) return null;
  return (
    <p>
      {rich(texts.bindings.followRedirects, {
        link: (text) => <Link href={`/monitors/${id}/edit?field=${redirectsField(detail)}`}>{text}</Link>,
      })}
    </p>
  );
}

/** The way out for a monitor that is Degraded because what its answer says has changed (behavior 26.188). */
export function AcceptChange({ detail }: { detail: Config | null | undefined }) {
  if (detail?.reason !== "changed") return null;
  return <p>{texts.bindings.acceptChange}</p>;
}
