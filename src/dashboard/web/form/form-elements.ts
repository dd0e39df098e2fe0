export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export function isControl(target: EventTarget): target is Control {
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLSelectElement ||
    target instanceof HTMLTextAreaElement
  );
}

export function fieldNames(form: HTMLFormElement): string[] {
  return [...form.elements].flatMap((one) => one.getAttribute("name") || []);
}

/** An error for each field that is incomplete, such as a date without its year. FormData shows these as empty. */
export function incompleteFields(form: HTMLFormElement): string[] {
  const fields = [...form.elements].filter(isControl).filter(({ validity }) => validity.badInput);
  return fields.map(({ name }) => `${name} must be complete or empty`);
}

/** Moves the focus to the first field with an error, once the errors are rendered. */
export function focusFirstError(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
}
