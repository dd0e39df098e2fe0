import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, getData } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { LocationForm } from "./location-form.tsx";
import { ProbeSetup } from "./probe-setup.tsx";

/** Creates a location. The key of its probe is shown once, in this dialog. */
export function NewLocation({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<{ name: string; key: string } | null>(null);
  const queries = useQueryClient();
  const create = async (name: string) => {
    setCreated(await getData(api.locations.post({ name })));
    await queries.invalidateQueries({ queryKey: queryKeys.locations });
  };
  // One dialog for both steps: a second one would report the first as closed.
  return (
    <Dialog
      title={
        created ? (
          <>
            The probe in “<bdi>{created.name}</bdi>”
          </>
        ) : (
          "New location"
        )
      }
      onClose={onClose}
    >
      {created ? (
        <ProbeSetup apiKey={created.key} onDone={onClose} />
      ) : (
        <LocationForm action="Create location" onSubmit={create} onCancel={onClose} />
      )}
    </Dialog>
  );
}
