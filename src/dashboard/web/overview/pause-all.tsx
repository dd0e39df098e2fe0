import { api } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { ConfirmButton } from "../ui/dialog.tsx";

export function PauseAll() {
  const change = useChange(queryKeys.overview);
  const pause = () => change(api.monitors["pause-all"].post());
  return (
    <ConfirmButton label="Pause all" title="Pause every monitor?" onConfirm={pause}>
      Checks and notifications stop until you resume each monitor, one by one.
    </ConfirmButton>
  );
}
