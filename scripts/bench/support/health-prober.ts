/** Requests a URL repeatedly, in a separate thread, and reports the response times. */
declare const self: Worker;

let times: number[] = [];

self.onmessage = ({ data }) => {
  if (data === "take") {
    self.postMessage(times);
    times = [];
  } else void probe(data);
};

async function probe({ url, every }: { url: string; every: number }): Promise<void> {
  for (;;) {
    const start = performance.now();
    await (await fetch(url)).text();
    times.push(performance.now() - start);
    await Bun.sleep(every);
  }
}
