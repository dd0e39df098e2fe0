import { useQueryClient } from "@tanstack/react-query";
import { api, getData, type Page } from "../data/api.ts";
import { invalidate } from "../data/invalidate.ts";
import { changedByPage, queryKeys } from "../data/query-keys.ts";
import { DeleteButton } from "../ui/dialog/delete-button.tsx";

/** @property onDeleted called once it is deleted */
export function DeletePage({ page: { id, title }, onDeleted }: { page: Page; onDeleted?: () => void }) {
  const queries = useQueryClient();
  const remove = async () => {
    await getData(api.pages({ id }).delete());
    onDeleted?.();
    queries.removeQueries({ queryKey: queryKeys.page(id) });
    await invalidate(queries, changedByPage);
  };
  return (
    <DeleteButton name={title} label={`Delete ${title}`} onDelete={remove}>
      Its incidents and subscribers are deleted too. Its monitors stay. You cannot undo this.
    </DeleteButton>
  );
}
