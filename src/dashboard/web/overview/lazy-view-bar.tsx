import { lazy, Suspense } from "react";

const ViewBar = lazy(async () => {
  const { ViewBar } = await import("./view-bar.tsx").catch(() => ({ ViewBar: () => null }));
  return { default: ViewBar };
});

/** The saved views. The list does not wait for their script, and is shown without them if it cannot be loaded. */
export function LazyViewBar() {
  return (
    <Suspense>
      <ViewBar />
    </Suspense>
  );
}
