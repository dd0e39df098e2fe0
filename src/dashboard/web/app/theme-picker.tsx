import { useState } from "react";
import { texts } from "../languages/texts.ts";
import { Segments } from "../ui/filters.tsx";
import { chooseTheme, currentTheme, THEMES, type Theme } from "./theme.ts";

/** Light, dark, or as the system says: for this browser. */
export function ThemePicker() {
  const [theme, setTheme] = useState(currentTheme);
  const choose = (next: Theme) => {
    chooseTheme(next);
    setTheme(next);
  };
  const { legend, labels } = texts.app.theme;
  const options = THEMES.map((value) => ({ value, label: labels[value] }));
  return <Segments legend={legend} value={theme} options={options} onChange={choose} />;
}
