/**
 * Signs people in at a rate, each when it is due, independent of the answers before it, and waits for all. It prints how long each
 * took, in milliseconds, and how many were refused, as one line of JSON.
 *
 * sign-in-load.ts URL PEOPLE PER_SECOND SECONDS
 */
import { emailOf, PASSWORD, post } from "./people.ts";

const [url = ""] = process.argv.slice(2);
const [people = 1, rate = 1, seconds = 1] = process.argv.slice(3).map(Number);
const taken: number[] = [];
let refused = 0;
const sent: Promise<void>[] = [];
const start = performance.now();
for (let at = 0; at < rate * seconds; at++) {
  await Bun.sleep(Math.max(0, start + (at * 1000) / rate - performance.now()));
  sent.push(signIn(at % people));
}
await Promise.all(sent);
console.log(JSON.stringify({ taken, refused }));

async function signIn(person: number): Promise<void> {
  const begun = performance.now();
  const body = { email: emailOf(person), password: PASSWORD };
  const response = await post(url, { path: "session", body, person });
  await response.arrayBuffer();
  if (!response.ok) refused++;
  taken.push(performance.now() - begun);
}
