import { useEffect, useMemo, useState } from "react";

/** Milliseconds without another change after which the server is asked. */
const SETTLED = 300;

/** A value as it was when it last stayed the same for a while. It must be JSON. */
export function useSettled<Value>(value: Value): Value {
  const text = JSON.stringify(value);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED);
    return () => clearTimeout(timer);
  }, [text]);
  return useMemo(() => JSON.parse(settled), [settled]);
}
