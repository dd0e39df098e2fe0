import base from "./base.css" with { type: "text" };
import components from "./components.css" with { type: "text" };
import events from "./events.css" with { type: "text" };
import forms from "./forms.css" with { type: "text" };
import layout from "./layout.css" with { type: "text" };
import print from "./print.css" with { type: "text" };
import small from "./small.css" with { type: "text" };
import tokens from "./tokens.css" with { type: "text" };

/** The dark tokens of a system, for the readers of another system who chose them. */
const [, dark = ""] = /data-theme="light"\]\) (\{[^}]*\})/.exec(tokens) ?? [];
const chosenDark = `@media screen {\n:root[data-theme="dark"] ${dark}\n}`;

/** The style of all public documents, without the spaces that only people need. */
export const styles = [tokens, chosenDark, base, layout, components, events, forms, small, print]
  .join("\n")
  .replaceAll(/^\s+|\n/gm, "");
