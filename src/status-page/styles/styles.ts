import base from "./base.css" with { type: "text" };
import components from "./components.css" with { type: "text" };
import events from "./events.css" with { type: "text" };
import forms from "./forms.css" with { type: "text" };
import layout from "./layout.css" with { type: "text" };
import print from "./print.css" with { type: "text" };
import small from "./small.css" with { type: "text" };
import tokens from "./tokens.css" with { type: "text" };

/** The style of all public documents, without the spaces that only people need. */
export const styles = [tokens, base, layout, components, events, forms, small, print]
  .join("\n")
  .replaceAll(/^\s+|\n/gm, "");
