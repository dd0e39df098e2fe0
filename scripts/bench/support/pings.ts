/**
 * Asks a server for one small thing, again as soon as it is answered. On SIGTERM it writes the longest time to an answer
 * in milliseconds, and how many there were.
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
