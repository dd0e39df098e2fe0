/** Below the ports that a system gives to connections, so that none of them takes it meanwhile. */
const [FIRST, LAST] = [10_000, 32_000];

/** A port of this machine that nothing listens on right now. */
export function freePort(): number {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    if (mayListenOn(port)) return port;
  }
}

export function mayListenOn(port: number): boolean {
  try {
    Bun.listen({ hostname: "127.0.0.1", port, socket: { data() {} } }).stop(true);
    return true;
  } catch {
    return false;
  }
}
