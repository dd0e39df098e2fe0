export interface Asked {
  requests: number;
  refused: number;
}

/** Asks a server for its health each 100 ms, on a new connection each time. @returns what ends it and tells the answers */
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
