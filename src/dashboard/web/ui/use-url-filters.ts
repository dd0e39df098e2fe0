import { useSearchParams } from "wouter";

/** The filters of a view. They stand in the address, so that a view can be shared, and the way back leads to it. */
export function useFilters(): [URLSearchParams, (name: string, value: string) => void] {
  const [params, setParams] = useSearchParams();
  const setFilter = (name: string, value: string) =>
    setParams(
      (before) => {
        if (value) before.set(name, value);
        else before.delete(name);
        return before;
      },
      { replace: true },
    );
  return [params, setFilter];
}
