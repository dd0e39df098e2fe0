/** A container, as an engine lists it. @param ports published, of this machine */
export function container(
  name: string,
  {
    labels = {},
    ports = [],
    state = "running",
  }: { labels?: Record<string, string>; ports?: number[]; state?: string } = {},
): object {
  return {
    Id: new Bun.CryptoHasher("sha256").update(name).digest("hex"),
    Names: [`/${name}`],
    Image: "example:1",
    Labels: labels,
    State: state,
    Status: "Up 2 hours",
    Ports: ports.map((port) => ({ IP: "0.0.0.0", PrivatePort: port, PublicPort: port, Type: "tcp" })),
  };
}
