import { type RefCallback, useCallback, useState } from "react";

/** How far off an element may be, above and below what is seen. */
const MARGIN = "600px 0px";

const told = new WeakMap<Element, (near: boolean) => void>();
let observer: IntersectionObserver | undefined;

/** Whether an element is near what is seen, and a ref for it. @param first what it is taken for until that is known */
export function useNear<Of extends Element>(first: boolean): [ref: RefCallback<Of>, near: boolean] {
  const [near, setNear] = useState(first);
  const ref = useCallback((element: Of | null) => {
    if (!element) return undefined;
    observer ??= new IntersectionObserver(tell, { rootMargin: MARGIN });
    told.set(element, setNear);
    observer.observe(element);
    return () => observer?.unobserve(element);
  }, []);
  return [ref, near];
}

function tell(entries: IntersectionObserverEntry[]): void {
  for (const { isIntersecting, target } of entries) told.get(target)?.(isIntersecting);
}
