import { expect, test } from "bun:test";
import { plainText } from "../../../src/dashboard/web/incidents/incident-list.tsx";

test.each([
  ["Card payments **fail** since 10:00.", "Card payments fail since 10:00."],
  ["# Down\n\n- _Orders_\n- `api_key` of ~~old~~ shops\n1. retry", "Down Orders api_key of old shops retry"],
  [
    "> See [our blog](https://blog.example/a_b) or <https://x.example/a_b>",
    "See our blog or https://x.example/a_b",
  ],
  ["```sh\nmake all\n```\n---\nDone.", "make all Done."],
  ["\\*literal\\* snake_case_name 2 * 3", "*literal* snake_case_name 2 * 3"],
  ["![picture](https://x.example/p.png) and <b>HTML</b>", "picture and <b>HTML</b>"],
  ["", ""],
])("behavior 17.3: %p is shown as %p in a list", (markdown, text) => {
  expect(plainText(markdown)).toBe(text);
});
