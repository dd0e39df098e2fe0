import { useState } from "react";
import { Segments } from "../ui/filters.tsx";
import { chooseTheme, currentTheme, THEMES, type Theme, themeLabels } from "./theme.ts";

/** Light, dark, or as the system says: for this browser. */
export function ThemePicker() {
  const [theme, setTheme] = useState(currentTheme);
  const choose = (next: Theme) => {
    chooseTheme(next);
    setTheme(next);
  };
  const options = THEMES.map((value) => ({ value, label: themeLabels[value] }));
  return <Segments legend="Theme" value={theme} options={options} onChange={choose} />;
}
