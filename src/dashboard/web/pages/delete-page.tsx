import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, getData, type Page } from "../data/api.ts";
import { invalidate } from "../data/invalidate.ts";
import { changedByPage, queryKeys } from "../data/query-keys.ts";
import { Confirm } from "../ui/dialog/dialog.tsx";

/** @property onDeleted called once it is deleted */
export function DeletePage({ page: { id, title }, onDeleted }: { page: Page; onDeleted?: () => void }) {
  const [asking, setAsking] = useState(false);
  const queries = useQueryClient();
  const remove = async () => {
    await getData(api.pages({ id }).delete());
    onDeleted?.();
    queries.removeQueries({ queryKey: queryKeys.page(id) });
    await invalidate(queries, changedByPage);
  };
  return (
    <>
      <button
        type="button"
        className="button-danger-quiet"
        aria-label={`Delete ${title}`}
        onClick={() => setAsking(true)}
      >
        Delete
      </button>
      {asking && (
        <Confirm
          title={
            <>
              Delete “<bdi>{title}</bdi>”?
            </>
          }
          action="Delete"
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          <p>Its incidents and subscribers are deleted too. Its monitors stay. You cannot undo this.</p>
        </Confirm>
      )}
    </>
  );
}
