import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, ask } from "../data/api.ts";
import { Confirm } from "../ui/dialog.tsx";

export function PauseAll() {
  const [asking, setAsking] = useState(false);
  const queries = useQueryClient();
  const pause = async () => {
    await ask(api.monitors["pause-all"].post());
    await queries.invalidateQueries({ queryKey: ["now"] });
  };
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        Pause all
      </button>
      {asking && (
        <Confirm title="Pause every monitor?" act="Pause all" onAct={pause} onClose={() => setAsking(false)}>
          <p>Nothing is checked and nobody is told until each is resumed, one by one.</p>
        </Confirm>
      )}
    </>
  );
}
