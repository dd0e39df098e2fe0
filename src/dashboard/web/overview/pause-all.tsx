import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, getData } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { Confirm } from "../ui/dialog/dialog.tsx";

export function PauseAll() {
  const [asking, setAsking] = useState(false);
  const queries = useQueryClient();
  const pause = async () => {
    await getData(api.monitors["pause-all"].post());
    await queries.invalidateQueries({ queryKey: queryKeys.overview });
  };
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        Pause all
      </button>
      {asking && (
        <Confirm
          title="Pause every monitor?"
          action="Pause all"
          onConfirm={pause}
          onClose={() => setAsking(false)}
        >
          <p>Checks and notifications stop until you resume each monitor, one by one.</p>
        </Confirm>
      )}
    </>
  );
}
