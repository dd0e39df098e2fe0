import { lazy, Suspense } from "react";
import { useSession } from "../app/session.tsx";
import { withTexts } from "../languages/texts.ts";

const load = () => withTexts(import("./discovery.tsx"), "discovery");

/** Few readers open it: its script is not loaded before. */
export const Discovery = lazy(async () => ({ default: (await load()).Discovery }));

/** The overview is shown without it if its script cannot be loaded. */
const Lines = lazy(() =>
  load().then(
    ({ UnwatchedLines }) => ({ default: UnwatchedLines }),
    () => ({ default: () => null }),
  ),
);

/** Nothing is loaded from a server that looks for nothing (behavior 28.101). */
export function UnwatchedLines() {
  const session = useSession();
  if (!session?.discovery) return null;
  return (
    <Suspense>
      <Lines />
    </Suspense>
  );
}
