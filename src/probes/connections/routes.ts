/** Errors of an address that this machine has no route to, or of a version of IP that it does not have. */
const NO_ROUTE = new Set(["ENETUNREACH", "EHOSTUNREACH", "EADDRNOTAVAIL", "EAFNOSUPPORT"]);

/** @param most how many @returns the first addresses that this machine has a route to, or the first ones if there is none */
export async function firstWithRoute(addresses: readonly string[], most: number): Promise<string[]> {
  const found: string[] = [];
  for (const address of addresses) {
    if (found.length === most) break;
    if (await hasRoute(address)) found.push(address);
  }
  return found.length > 0 ? found : addresses.slice(0, most);
}

/** Any port: nothing is sent. */
const PORT = 9;

/** Whether this machine has a route to an address: a connection of UDP needs one, and sends nothing. */
async function hasRoute(address: string): Promise<boolean> {
  const hostname = address.includes(":") ? "::" : "0.0.0.0";
  try {
    const socket = await Bun.udpSocket({ hostname, connect: { hostname: address, port: PORT } });
    socket.close();
    return true;
  } catch (error) {
    // Any other error says more if a connection fails with it.
    return !NO_ROUTE.has((error as NodeJS.ErrnoException).code ?? "");
  }
}
