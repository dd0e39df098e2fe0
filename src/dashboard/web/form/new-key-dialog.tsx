import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { type Answer, getData } from "../data/api.ts";
import { Dialog, quote } from "../ui/dialog.tsx";

interface Created {
  name: string;
  key: string;
}

interface Props {
  title: string;
  /** Precedes the name in the title, once it is created. */
  createdTitle: string;
  /** The query of the list that shows it. */
  queryKey: QueryKey;
  form: (create: (request: Promise<Answer<{ readonly data: Created }>>) => Promise<void>) => ReactNode;
  onClose: () => void;
  /** Shows the key. */
  children: (key: string) => ReactNode;
}

/** Creates something with a key, which is shown once: in this dialog. */
export function NewKeyDialog({ title, createdTitle, queryKey, form, onClose, children }: Props) {
  const [created, setCreated] = useState<Created | null>(null);
  const queries = useQueryClient();
  // One dialog for both steps: a second one would report the first as closed.
  return (
    <Dialog title={created ? quote(createdTitle, created.name) : title} onClose={onClose}>
      {!created &&
        form(async (request) => {
          setCreated(await getData(request));
          await queries.invalidateQueries({ queryKey });
        })}
      {created && (
        <>
          {children(created.key)}
          <div className="actions actions-end">
            <button type="button" className="button-primary" onClick={onClose}>
              Done
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}
