import { menu } from "../app/menu.ts";
import { chooseTheme, THEMES, themeLabels } from "../app/theme.ts";

/** An entry of the palette beside monitors: a view, or an action. */
export interface Command {
  label: string;
  kind: "View" | "Action";
  /** The path of a view of the page, or what is done. */
  to: string | (() => void);
}

/** @property mayWrite whether the reader may create things @property isPerson whether the reader has a profile */
export function commandsFor({ mayWrite, isPerson }: { mayWrite: boolean; isPerson: boolean }): Command[] {
  const creation: Command[] = [
    { label: "New monitor", kind: "Action", to: "/monitors/new" },
    { label: "New channel", kind: "Action", to: "/channels/new" },
    { label: "New maintenance", kind: "Action", to: "/maintenances/new" },
  ];
  return [
    ...menu.map(([to, label]): Command => ({ label, kind: "View", to })),
    { label: "People", kind: "View", to: "/settings/people" },
    ...(isPerson ? [{ label: "Profile", kind: "View", to: "/profile" } as const] : []),
    { label: "Wall", kind: "View", to: () => location.assign("/wall") },
    ...(mayWrite ? creation : []),
    ...THEMES.map(
      (theme): Command => ({
        label: `Theme: ${themeLabels[theme].toLowerCase()}`,
        kind: "Action",
        to: () => chooseTheme(theme),
      }),
    ),
  ];
}

/** The commands that have all words of a text in their label, in any order. An empty text has no words. */
export function matching(commands: readonly Command[], text: string): Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return commands.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
}
