import { useState } from "react";
import type { Placement } from "../../../../domain/locations/placement.ts";
import type { Location } from "../../data/api.ts";
import { CheckList } from "../../form/check-list.tsx";
import { Field } from "../../form/fields.tsx";
import { useForm } from "../../form/form.tsx";
import { conditionOf } from "../../location/conditions.ts";
import { HERE, locationLabel } from "../../location/location-label.ts";
import { describeVotes, offeredVotes } from "./location-values.ts";

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
        legend="Check from"
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
        {error && (
          <p className="field-error" id="locations-error" role="alert">
            {count === 0 ? "Select at least one location." : error}
          </p>
        )}
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
      <Field
        name="downWhen"
        label="Trouble counts if it is seen by"
        hint="A location has no vote while it is silent or its own network is at fault."
      >
        {(props) => (
          <select {...props} defaultValue={String(stored)}>
            {offeredVotes(count, stored).map((votes) => (
              <option key={votes} value={String(votes)}>
                {describeVotes(votes)}
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  );
}
