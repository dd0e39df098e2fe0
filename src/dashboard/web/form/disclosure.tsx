import { type ReactNode, useLayoutEffect, useRef } from "react";
import { useForm } from "./form.tsx";

interface Props {
  summary: string;
  /** Whether it is open at first. */
  isOpen: boolean;
  children: ReactNode;
}

/** Fields that most readers do not need. An error in them opens it. */
export function Disclosure({ summary, isOpen, children }: Props) {
  const element = useRef<HTMLDetailsElement>(null);
  const { errors } = useForm();
  useLayoutEffect(() => {
    const hasErrors = Object.keys(errors).length > 0;
    if (hasErrors && element.current?.querySelector("[aria-invalid=true]")) element.current.open = true;
  }, [errors]);
  // React sets `open` only when it changes, so that it stays as the reader leaves it.
  return (
    <details className="disclosure" ref={element} open={isOpen}>
      <summary>{summary}</summary>
      <div className="form-fields">{children}</div>
    </details>
  );
}
