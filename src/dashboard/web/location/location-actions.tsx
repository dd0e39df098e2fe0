import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, getData, type Location } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { DeleteButton } from "../ui/dialog/delete-button.tsx";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { LocationForm } from "./location-form.tsx";

export function LocationActions({ location }: { location: Location }) {
  const { name } = location;
  const [renaming, setRenaming] = useState(false);
  return (
    <div className="actions">
      <button type="button" aria-label={`Rename the location ${name}`} onClick={() => setRenaming(true)}>
        Rename
      </button>
      <DeleteLocation location={location} />
      {renaming && <RenameLocation location={location} onClose={() => setRenaming(false)} />}
    </div>
  );
}

function RenameLocation({ location: { id, name }, onClose }: { location: Location; onClose: () => void }) {
  const queries = useQueryClient();
  const rename = async (to: string) => {
    await getData(api.locations({ id }).patch({ name: to }));
    await queries.invalidateQueries({ queryKey: queryKeys.locations });
    onClose();
  };
  return (
    <Dialog title="Rename the location" onClose={onClose}>
      <LocationForm name={name} action="Save" onSubmit={rename} onCancel={onClose} />
    </Dialog>
  );
}

/** The server refuses to delete a location that monitors use, and names them. */
function DeleteLocation({ location: { id, name } }: { location: Location }) {
  const queries = useQueryClient();
  const remove = async () => {
    await getData(api.locations({ id }).delete());
    await queries.invalidateQueries({ queryKey: queryKeys.locations });
  };
  return (
    <DeleteButton name={name} what="the location" label={`Delete the location ${name}`} onDelete={remove}>
      Its key is rejected immediately, and results that its probe has not sent yet are lost. You cannot undo
      this.
    </DeleteButton>
  );
}
