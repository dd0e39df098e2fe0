import { expect, test } from "bun:test";
import { placedFaults, readConfiguration } from "../../src/configuration-file/read.ts";
import { faultLine } from "../../src/configuration-file/source-fault.ts";

const env = { HOST: "shop.example.com", KEY: "s3cret", EMPTY: "" };

function linesOf(text: string): string[] {
  return readConfiguration(text, env).faults.map(faultLine);
}

test("behavior 16.60: placeholders in values are replaced by variables of the environment, and $${ is a literal ${", () => {
  const text = `monitors:
  shop:
    url: https://\${HOST}:\${HOST}/\${EMPTY}
    body: 'a $\${KEY} $$\${HOST} $ {HOST} $HOST'
    list: ["\${KEY}", &a "\${KEY}", *a]
    \${KEY}: 1 # \${NONE}
`;
  const { value, faults } = readConfiguration(text, env);
  expect(faults).toEqual([]);
  expect(value).toEqual({
    monitors: {
      shop: {
        url: "https://shop.example.com:shop.example.com/",
        body: "a ${KEY} $${HOST} $ {HOST} $HOST",
        list: ["s3cret", "s3cret", "s3cret"],
        "${KEY}": 1,
      },
    },
  });
});

test("behavior 16.60: the value of a variable is a text, and no placeholder and no YAML in it is read", () => {
  const hostile = { A: "1\nb: ${B} # x", B: "no" };
  expect(readConfiguration("a: ${A}\nn: ${B}", hostile).value).toEqual({ a: hostile.A, n: "no" });
});

test("behavior 16.60: each variable that is not set is a fault that names it, once for each place", () => {
  expect(linesOf("a: ${X} ${Y} ${X}\nb:\n  - ${X}\nc: ${HOST}\nd: ${x-y}\ne: ${}\nf: s3cret ${")).toEqual([
    "a (line 1): needs the environment variables X, Y, which are not set",
    "b.0 (line 3): needs the environment variable X, which is not set",
    "d (line 5): must have a name of letters, digits and _ in each ${…}; a literal ${ is written $${",
    "e (line 6): must have a name of letters, digits and _ in each ${…}; a literal ${ is written $${",
    "f (line 7): must have a name of letters, digits and _ in each ${…}; a literal ${ is written $${",
  ]);
});

test("behavior 16.64: a fault has the line, and the wrong text unless a placeholder was in it", () => {
  const read = readConfiguration("a:\n  b: shop\n  c: ${KEY}\n  d: ${NONE}\n", env);
  const judged = [
    { path: "a.b", message: "must be a URL", got: "shop" },
    { path: "a.c", message: "must be a URL", got: "s3cret" },
    { path: "a.d", message: "must be a URL" },
    { path: "a.e", message: "is required" },
    { path: "x", message: "is not a known field" },
  ];
  expect(placedFaults(read, judged).map(faultLine)).toEqual([
    "a.e (line 1): is required",
    "x (line 1): is not a known field",
    'a.b (line 2): must be a URL, got "shop"',
    "a.c (line 3): must be a URL",
    "a.d (line 4): needs the environment variable NONE, which is not set",
  ]);
  expect(faultLine({ path: "", message: "the YAML is not valid", line: 3 })).toBe(
    "line 3: the YAML is not valid",
  );
  expect(faultLine({ path: "", message: "must be an object" })).toBe("must be an object");
});
