import { useSearchParams } from "wouter";

/** @param value empty for no filter */
export type SetFilter = (name: string, value: string) => void;

/** The filters of a view, kept in the address, so that a reader can share them, and Back restores them. */
export function useUrlFilters(): [URLSearchParams, SetFilter] {
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
