import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, getData, type Location } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { Confirm, Dialog } from "../ui/dialog/dialog.tsx";
import { LocationForm } from "./location-form.tsx";

export function LocationActions({ location }: { location: Location }) {
  const { name } = location;
  const [open, setOpen] = useState<"rename" | "delete" | null>(null);
  const close = () => setOpen(null);
  return (
    <div className="actions">
      <button type="button" aria-label={`Rename the location ${name}`} onClick={() => setOpen("rename")}>
        Rename
      </button>
      <button
        type="button"
        className="button-danger-quiet"
        aria-label={`Delete the location ${name}`}
        onClick={() => setOpen("delete")}
      >
        Delete
      </button>
      {open === "rename" && <RenameLocation location={location} onClose={close} />}
      {open === "delete" && <DeleteLocation location={location} onClose={close} />}
    </div>
  );
}

interface Props {
  location: Location;
  onClose: () => void;
}

function RenameLocation({ location: { id, name }, onClose }: Props) {
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
function DeleteLocation({ location: { id, name }, onClose }: Props) {
  const queries = useQueryClient();
  const remove = async () => {
    await getData(api.locations({ id }).delete());
    await queries.invalidateQueries({ queryKey: queryKeys.locations });
  };
  return (
    <Confirm
      title={
        <>
          Delete the location “<bdi>{name}</bdi>”?
        </>
      }
      action="Delete"
      onConfirm={remove}
      onClose={onClose}
    >
      <p>
        Its key is rejected immediately, and results that its probe has not sent yet are lost. You cannot undo
        this.
      </p>
    </Confirm>
  );
}
