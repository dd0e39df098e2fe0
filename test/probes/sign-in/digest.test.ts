import { expect, test } from "bun:test";
import { challengesIn } from "../../../src/probes/sign-in/challenges.ts";
import { bestDigest, digestAuthorization, whyNoDigest } from "../../../src/probes/sign-in/digest.ts";

const challengesOf = (...values: string[]) =>
  challengesIn(values.map((value) => ["WWW-Authenticate", value]));

function answerTo(
  values: string[],
  credentials: { user: string; password: string },
  [method = "", path = ""]: string[],
  cnonce: string,
) {
  const challenge = bestDigest(challengesOf(...values));
  if (!challenge) throw new Error("no challenge");
  return digestAuthorization(
    challenge,
    credentials,
    { method, url: new URL(`http://host.test${path}`) },
    cnonce,
  ).authorization;
}

const NONCE = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v";
const OPAQUE = "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS";
const CNONCE = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ";
const mufasa = { user: "Mufasa", password: "Circle of Life" };
const rfc7616 = (algorithm: string) =>
  `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="${NONCE}", opaque="${OPAQUE}"`;

test.each([
  [["MD5"], "MD5", "8ca523f5e9506fed4657c9700eebdbec"],
  [["SHA-256"], "SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"],
  [["MD5", "SHA-256"], "SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"],
  [["SHA-256", "MD5"], "SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"],
])(
  "behavior 26.41: the example of RFC 7616, 3.9.1 with %p is answered with %s",
  (algorithms, named, response) => {
    const authorization = answerTo(algorithms.map(rfc7616), mufasa, ["GET", "/dir/index.html"], CNONCE);
    expect(authorization).toBe(
      `Digest username="Mufasa", realm="http-auth@example.org", nonce="${NONCE}", uri="/dir/index.html", algorithm=${named}, response="${response}", opaque="${OPAQUE}", qop=auth, nc=00000001, cnonce="${CNONCE}"`,
    );
  },
);

test("behavior 26.41: a challenge without an algorithm means MD5, and one without qop is answered in the older way", () => {
  // RFC 2617, 3.5, and RFC 2069, 2.4 with its errata.
  const realm = 'Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"';
  const named = answerTo(
    [`${realm}, qop="auth,auth-int"`],
    { user: "Mufasa", password: "Circle Of Life" },
    ["GET", "/dir/index.html"],
    "0a4f113b",
  );
  expect(named).toContain('response="6629fae49393a05397450978507c4ef1"');
  expect(named).not.toContain("algorithm");
  const older = answerTo(
    [realm],
    { user: "Mufasa", password: "CircleOfLife" },
    ["GET", "/dir/index.html"],
    "0a4f113b",
  );
  expect(older).toContain('response="1949323746fe6a43ef61f9606e7febea"');
  expect(older).not.toMatch(/qop|nc=|cnonce/);
});

test.each([
  ['Digest realm="a", nonce="n", qop="auth-int"', "in forms other than MD5 and SHA-256 with qop=auth"],
  ['Digest realm="a", nonce="n", algorithm=SHA-512-256', "in forms other than MD5 and SHA-256 with qop=auth"],
  ['Digest realm="a", nonce="n", algorithm=token', "in forms other than MD5 and SHA-256 with qop=auth"],
  ['Digest realm="a"', "in forms other than MD5 and SHA-256 with qop=auth"],
  ['Basic realm="a"', "asks for Basic (set config.basicAuth), not for Digest"],
  ["Negotiate, NTLM, Hidden-Text", "asks for Negotiate, NTLM, not for Digest"],
  ["Hidden-Text", "asks for nothing that is known here, not for Digest"],
])("behavior 26.44: no answer to %s, and the reason has no text of the server", (value, why) => {
  const challenges = challengesOf(value);
  expect(bestDigest(challenges)).toBeUndefined();
  expect(whyNoDigest(challenges)).toMatch(why);
});

test("behavior 26.46: a name in UTF-8 has its own form if the server reads UTF-8, and its bytes otherwise", () => {
  // RFC 7616, 3.9.2, with another algorithm.
  const user = "J\u00e4s\u00f8n Doe";
  const plain = 'Digest realm="a", nonce="n", qop=auth';
  const named = answerTo([`${plain}, charset=UTF-8`], { user, password: "x" }, ["GET", "/"], "c");
  expect(named).toContain("Digest username*=UTF-8''J%C3%A4s%C3%B8n%20Doe, realm=");
  const decomposed = answerTo(
    [`${plain}, charset=utf-8`],
    { user: user.normalize("NFD"), password: "x" },
    ["GET", "/"],
    "c",
  );
  expect(decomposed).toBe(named);
  const bytes = answerTo([plain], { user, password: "x" }, ["GET", "/"], "c");
  expect(Buffer.from(bytes, "latin1").toString()).toContain(`username="${user}"`);
});

test("behavior 26.46: quotes and backslashes are escaped, so that nobody can add a parameter", () => {
  const authorization = answerTo(
    ['Digest realm="a\\"b\\\\", nonce="n", qop=auth, opaque="\\"x"'],
    { user: 'm"e\\', password: "x" },
    ["GET", '/a"b'],
    "c",
  );
  expect(authorization).toContain('username="m\\"e\\\\", realm="a\\"b\\\\", nonce="n", uri="/a%22b"');
  expect(authorization).toContain('opaque="\\"x"');
});
