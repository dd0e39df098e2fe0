import { useQuery } from "@tanstack/react-query";
import { locationsQuery } from "../data/shared-queries.ts";
import { ListView } from "../ui/list/list.tsx";
import { LocationRow } from "./location-row.tsx";
import { NewLocation } from "./new-location.tsx";

/** Milliseconds between two fetches. The server reports no changes of locations. */
const INTERVAL = 5000;

export function Locations() {
  const { data, error } = useQuery({ ...locationsQuery, refetchInterval: INTERVAL });
  return (
    <ListView
      title="Locations"
      lead="A probe in another location checks monitors from there, and connects to this server. Each monitor has a list of the locations that check it."
      items={data}
      error={error}
      none="No locations yet. This server does all checks."
      row={(location) => <LocationRow key={location.id} location={location} />}
      create={{ role: "owner", label: "New location", dialog: NewLocation }}
    />
  );
}
