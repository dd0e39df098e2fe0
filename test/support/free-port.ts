/** Below the ports that a system gives to connections, so that none of them takes it meanwhile. */
const [FIRST, LAST] = [10_000, 32_000];

/** Ports that one process takes from. */
const BLOCK = 200;

const ports = ownPorts();

/**
 * A port of this machine that nothing listens on right now. No other process takes it from here while this one runs: a monitor of a
 * target that is gone would otherwise check a server of another test.
 */
export function freePort(): number {
  for (;;) {
    const port = ports.next().value;
    if (mayListenOn(port)) return port;
  }
}

export function mayListenOn(port: number): boolean {
  try {
    listen(port).stop(true);
    return true;
  } catch {
    return false;
  }
}

/** The ports of a block, again and again. The block belongs to the process that listens on its first port. */
function* ownPorts(): Generator<number, never> {
  const claim = claimBlock();
  for (let at = 1; ; at = (at % (BLOCK - 1)) + 1) yield claim.port + at;
}

/** Listens on the first port of a block until this process ends. */
function claimBlock() {
  for (;;) {
    const first = FIRST + BLOCK * Math.floor(Math.random() * ((LAST - FIRST) / BLOCK));
    try {
      const claim = listen(first);
      claim.unref();
      return claim;
    } catch {
      // It belongs to another process.
    }
  }
}

function listen(port: number) {
  return Bun.listen({ hostname: "127.0.0.1", port, socket: { data() {} } });
}
