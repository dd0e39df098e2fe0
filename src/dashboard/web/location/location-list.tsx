import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useHasRole } from "../app/session.tsx";
import { locationsQuery } from "../data/shared-queries.ts";
import { Failure } from "../ui/failure.tsx";
import { View } from "../ui/view/view.tsx";
import { LocationRow } from "./location-row.tsx";
import { NewLocation } from "./new-location.tsx";

/** Milliseconds between two fetches. The server reports no changes of locations. */
const INTERVAL = 5000;

export function Locations() {
  const { data, error } = useQuery({ ...locationsQuery, refetchInterval: INTERVAL });
  const [creating, setCreating] = useState(false);
  const mayManage = useHasRole("owner");
  const create = mayManage && (
    <button type="button" className="button-primary" onClick={() => setCreating(true)}>
      New location
    </button>
  );
  return (
    <View title="Locations" aside={create}>
      <p className="text-lead">
        A probe in another location checks monitors from there, and connects to this server. Each monitor has
        a list of the locations that check it.
      </p>
      <Failure error={error} />
      {data?.length === 0 && <p className="view-empty">No locations yet. This server does all checks.</p>}
      <ul className="list">
        {data?.map((location) => (
          <LocationRow key={location.id} location={location} />
        ))}
      </ul>
      {creating && <NewLocation onClose={() => setCreating(false)} />}
    </View>
  );
}
