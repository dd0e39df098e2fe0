import { createContext, type ReactNode, useContext, useState } from "react";

/** What the page remembers while its views come and go. */
interface ViewMemory {
  /** Whether a view was shown already. */
  visited: boolean;
  /** Pixels: the height of the list of monitors when the reader left it. */
  listHeight: number;
}

const Memory = createContext<ViewMemory | null>(null);

export function ViewMemoryProvider({ children }: { children: ReactNode }) {
  const [memory] = useState<ViewMemory>(() => ({ visited: false, listHeight: 0 }));
  return <Memory value={memory}>{children}</Memory>;
}

export function useViewMemory(): ViewMemory {
  const memory = useContext(Memory);
  if (!memory) throw new Error("a view needs a ViewMemoryProvider around it");
  return memory;
}
