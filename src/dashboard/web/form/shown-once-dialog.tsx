import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { type Answer, getData } from "../data/api.ts";
import { Dialog } from "../ui/dialog.tsx";

interface Props<Created> {
  title: ReactNode;
  /** The title once it is created. */
  createdTitle: (created: Created) => ReactNode;
  /** The query of the list that shows it. */
  queryKey: QueryKey;
  form: (create: (request: Promise<Answer<{ readonly data: Created }>>) => Promise<void>) => ReactNode;
  onClose: () => void;
  /** Shows the secret. */
  children: (created: Created) => ReactNode;
}

/** Creates something with a secret, such as a key, which is shown once: in this dialog. */
export function ShownOnceDialog<Created>({
  title,
  createdTitle,
  queryKey,
  form,
  onClose,
  children,
}: Props<Created>) {
  const [created, setCreated] = useState<Created | null>(null);
  const queries = useQueryClient();
  // One dialog for both steps: a second one would report the first as closed.
  return (
    <Dialog title={created ? createdTitle(created) : title} onClose={onClose}>
      {!created &&
        form(async (request) => {
          setCreated(await getData(request));
          await queries.invalidateQueries({ queryKey });
        })}
      {created && (
        <>
          {children(created)}
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
