export interface Asked {
  requests: number;
  refused: number;
}

/** Requests the health of a server every 100 ms, each on a new connection. @returns a function that stops and returns the outcome */
export function askApi(url: string): { stop(): Asked } {
  const asked = { requests: 0, refused: 0 };
  const timer = setInterval(() => {
    asked.requests++;
    fetch(`${url}/healthz`, { keepalive: false, signal: AbortSignal.timeout(2000) }).catch(
      () => asked.refused++,
    );
  }, 100);
  return {
    stop() {
      clearInterval(timer);
      return asked;
    },
  };
}
