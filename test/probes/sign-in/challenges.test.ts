import { expect, test } from "bun:test";
import { challengesIn } from "../../../src/probes/sign-in/challenges.ts";

const read = (...values: string[]) =>
  challengesIn(values.map((value) => ["WWW-Authenticate", value])).map(({ scheme, parameters }) => [
    scheme,
    Object.fromEntries(parameters),
  ]);

test.each<[string, unknown[]]>([
  ["Basic", [["basic", {}]]],
  ['Basic realm="a"', [["basic", { realm: "a" }]]],
  ['BASIC Realm = "a b" , Charset=UTF-8', [["basic", { realm: "a b", charset: "UTF-8" }]]],
  ['Digest realm="a, b=\\"c\\"", nonce=abc', [["digest", { realm: 'a, b="c"', nonce: "abc" }]]],
  [
    "Negotiate, NTLM",
    [
      ["negotiate", {}],
      ["ntlm", {}],
    ],
  ],
  [
    "Negotiate YII=, Basic realm=x",
    [
      ["negotiate", {}],
      ["basic", { realm: "x" }],
    ],
  ],
  [
    'Basic realm="a", Digest nonce="n", qop="auth,auth-int"',
    [
      ["basic", { realm: "a" }],
      ["digest", { nonce: "n", qop: "auth,auth-int" }],
    ],
  ],
  [', ,Digest ,realm="a",, nonce="n",', [["digest", { realm: "a", nonce: "n" }]]],
  [
    'Newauth realm="apps", type=1, title="Login to \\"apps\\"", Basic realm="simple"',
    [
      ["newauth", { realm: "apps", type: "1", title: 'Login to "apps"' }],
      ["basic", { realm: "simple" }],
    ],
  ],
  ['Digest realm=""', [["digest", { realm: "" }]]],
  ["", []],
  [" , ", []],
])("behavior 26.45: challenges are read by their grammar: %s", (value, expected) => {
  expect(read(value)).toEqual(expected as never);
});

test("behavior 26.45: challenges of several headers are read in their order, and other headers are not", () => {
  const headers: [string, string][] = [
    ["www-authenticate", 'Digest nonce="1"'],
    ["Proxy-Authenticate", 'Digest nonce="2"'],
    ["WWW-AUTHENTICATE", "Basic"],
  ];
  expect(challengesIn(headers).map(({ scheme }) => scheme)).toEqual(["digest", "basic"]);
});

test.each([
  'Digest realm="a" nonce="n"',
  'Digest realm="a',
  'Digest realm="a\\',
  'Digest realm="a"; nonce="n"',
  'Digest realm="a", realm="b"',
  'Digest realm="a", Realm="b"',
  'Digest realm=, nonce="n"',
  'Digest realm="a\u0000b"',
  'Digest realm="a\u007fb"',
  'realm="a"',
  '=, Digest realm="a"',
  '"Digest" realm="a"',
  `Digest realm="${"a".repeat(4097)}"`,
  `Digest ${Array.from({ length: 31 }, (_, at) => `p${at}=1`).join(",")}`,
])("behavior 26.45: a challenge that breaks the grammar or the bounds is left out: %s", (value) => {
  expect(read("Basic", value)).toEqual([["basic", {}]]);
});

test("behavior 26.45: a broken challenge leaves those before it in the same header", () => {
  expect(read('Basic realm="a", Digest realm="b, Negotiate')).toEqual([["basic", { realm: "a" }]]);
});

test("behavior 26.45: at most 20 challenges are read", () => {
  expect(read(Array.from({ length: 50 }, () => "Basic").join(", "))).toHaveLength(20);
  expect(read(...Array.from({ length: 50 }, () => "Basic"))).toHaveLength(20);
});
