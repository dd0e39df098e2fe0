import { useEffect, useRef } from "react";

interface Props {
  onInput: () => void;
  /** The ID of the error that the address, or the whole form, has. */
  errorId: string | undefined;
  /** Whether it gets the focus when it appears. */
  takesFocus?: boolean;
}

/** The e-mail address of somebody who signs in, as password managers know it. */
export function EmailInput({ onInput, errorId, takesFocus = false }: Props) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) input.current?.focus();
  }, [takesFocus]);
  return (
    <>
      <label htmlFor="email">E-mail</label>
      <input
        ref={input}
        id="email"
        name="email"
        type="email"
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
        onInput={onInput}
        aria-invalid={errorId !== undefined}
        aria-describedby={errorId}
      />
    </>
  );
}
