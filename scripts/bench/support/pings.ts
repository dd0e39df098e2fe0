/**
 * Repeats a small request to a server as soon as the previous one is answered. At SIGTERM, it prints the longest
 * response time in milliseconds, and the number of responses.
 *
 * pings.ts URL
 */
const [url = ""] = Bun.argv.slice(2);
let longest = 0;
let answered = 0;
let ended = false;

process.on("SIGTERM", () => {
  ended = true;
});
await (await fetch(url)).text();
console.log("pinging");
while (!ended) {
  const start = performance.now();
  await (await fetch(url)).text();
  longest = Math.max(longest, performance.now() - start);
  answered++;
}
console.log(`${longest.toFixed(1)} ${answered}`);
