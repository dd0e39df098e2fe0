import { expect, test } from "bun:test";
import {
  createVariableNames,
  literal,
  partsOf,
  placeholder,
} from "../../../src/domain/configuration/placeholder.ts";

const OPEN = "$" + "{";

test("behavior 16.91: a text has placeholders, and $${ is a literal ${", () => {
  expect(partsOf(`a ${placeholder("NAME")} b $\${X} \${not one} $5`)).toEqual([
    ...[{ text: "a " }, { name: "NAME" }, { text: " b " }, { text: "${" }, { text: "X} " }],
    ...[{ malformed: `${OPEN}not one} $5` }, { text: "not one} $5" }],
  ]);
});

test("behavior 16.91: a literal text has no placeholder, and is read as itself", () => {
  for (const text of [
    `${OPEN}HOME}`,
    `$${OPEN}HOME}`,
    `$$${OPEN}`,
    "a$",
    "{}",
    "$",
    "",
    `${OPEN}${OPEN}X}}`,
  ]) {
    const read = partsOf(literal(text)).map((part) => ("text" in part ? part.text : "?"));
    expect(read.join("")).toBe(text);
  }
});

test("behavior 16.91: a variable is named after what it is for, and each name is used once", () => {
  const nameOf = createVariableNames();
  expect(nameOf("SLACK", "ops-team", "webhookUrl")).toBe("SLACK_OPS_TEAM_WEBHOOK_URL");
  expect(nameOf("SLACK", "ops_team", "webhookUrl")).toBe("SLACK_OPS_TEAM_WEBHOOK_URL_2");
  expect(nameOf("1.shop", "", "X-Api-Key")).toBe("_1_SHOP_X_API_KEY");
  expect(nameOf("…")).toBe("SECRET");
});
