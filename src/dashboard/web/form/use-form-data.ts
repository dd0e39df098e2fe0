import { type RefObject, useEffect, useState } from "react";

/**
 * What a reader has entered in the form around an element, and then after each change.
 *
 * @returns null until the form is rendered
 */
export function useFormData(element: RefObject<HTMLElement | null>): FormData | null {
  const [data, setData] = useState<FormData | null>(null);
  useEffect(() => {
    const form = element.current?.closest("form");
    if (!form) return undefined;
    const read = () => setData(new FormData(form));
    read();
    form.addEventListener("input", read);
    return () => form.removeEventListener("input", read);
  }, [element]);
  return data;
}

/** Reports a change that no control reports, such as that of a hidden field, to `useFormData`. */
export function reportChange(element: HTMLElement | null): void {
  element?.dispatchEvent(new Event("input", { bubbles: true }));
}
