import { type RefCallback, useCallback, useState } from "react";

/** How far from the viewport an element is still near it, above and below. */
const MARGIN = "600px 0px";

/** Reports which elements are near the viewport. One observer serves all rows of a list. */
export class ViewportObserver {
  readonly #listeners = new WeakMap<Element, (isNear: boolean) => void>();
  readonly #observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) this.#listeners.get(target)?.(isIntersecting);
    },
    { rootMargin: MARGIN },
  );

  /** @returns a function that ends the observation */
  observe(element: Element, listener: (isNear: boolean) => void): () => void {
    this.#listeners.set(element, listener);
    this.#observer.observe(element);
    return () => this.#observer.unobserve(element);
  }
}

/** A ref for an element, and whether it is near the viewport. @param initial the answer until the browser has one */
export function useNearViewport<Of extends Element>(
  observer: ViewportObserver,
  initial: boolean,
): [ref: RefCallback<Of>, isNear: boolean] {
  const [isNear, setNear] = useState(initial);
  const ref = useCallback(
    (element: Of | null) => (element ? observer.observe(element, setNear) : undefined),
    [observer],
  );
  return [ref, isNear];
}
