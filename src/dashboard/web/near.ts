import { type RefCallback, useCallback, useState } from "react";

/** How far off an element may be, above and below what is seen. */
const MARGIN = "500px 0px";

const told = new WeakMap<Element, () => void>();
let observer: IntersectionObserver | undefined;

/** Whether an element has come near what is seen, and a ref for it. What has come near once stays so. */
export function useNear<Of extends Element>(): [ref: RefCallback<Of>, near: boolean] {
  const [near, setNear] = useState(false);
  const ref = useCallback((element: Of | null) => {
    if (!element) return undefined;
    observer ??= new IntersectionObserver(tell, { rootMargin: MARGIN });
    told.set(element, () => setNear(true));
    observer.observe(element);
    return () => observer?.unobserve(element);
  }, []);
  return [ref, near];
}

function tell(entries: IntersectionObserverEntry[]): void {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    observer?.unobserve(target);
    told.get(target)?.();
  }
}
