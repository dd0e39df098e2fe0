import { describe, expect, test } from "bun:test";
import { assertDiscoverable, type Flags, readConfig, settings, UsageError } from "../../../src/config.ts";
import type { DiscoverSettings } from "../../../src/domain/discovery/settings.ts";

const read = (flags: Flags, env: Record<string, string> = {}) =>
  readConfig(flags, { env, isTerminal: false });

/** The whole message about a flag. */
async function refusalOf(discover: string): Promise<string> {
  try {
    await assertDiscoverable({ discover }, read({ discover }));
    return "";
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message;
  }
}

describe("behavior 28.5: --discover", () => {
  test.each<[string, DiscoverSettings]>([
    ["docker", { docker: { socket: "/var/run/docker.sock" } }],
    ["docker=/run/podman.sock, host=10.0.0.1", { docker: { socket: "/run/podman.sock", host: "10.0.0.1" } }],
    ["kubernetes,grace=0", { kubernetes: {}, grace: 0 }],
    ["files=/etc/targets/*.yml", { files: "/etc/targets/*.yml" }],
    ["http=http://sd.example/a?b=c", { http: "http://sd.example/a?b=c" }],
    [' {"files":"/a,b","grace":60}', { files: "/a,b", grace: 60 }],
  ])("takes %p", async (discover, value) => {
    const config = read({ discover });
    expect(config.discover).toEqual(value);
    await assertDiscoverable({ discover }, config);
    expect(read({}, { STILLUP_DISCOVER: discover }).discover).toEqual(value);
  });

  test.each([
    ["dokcer", "its part 1 is none of these: a value with a comma can be given as JSON"],
    ["http=http://s3cret,s3cret", "its part 2 is none of these: a value with a comma can be given as JSON"],
    ["docker,docker=/s3cret", "docker is given twice"],
    ["kubernetes=s3cret", "kubernetes has no value"],
    ["files", "files needs a value"],
    ["host=s3cret,kubernetes", "host needs docker"],
    ["grace=60", "it needs at least one of docker, kubernetes, files, http"],
    ["{s3cret", "it begins with { and is no valid JSON"],
  ])("refuses %p with the reason, and without the value", async (discover, reason) => {
    const message = await refusalOf(discover);
    expect(message).toStartWith(
      "--discover must be a comma-separated list of docker, docker=SOCKET, kubernetes,",
    );
    expect(message).toEndWith(`as JSON: ${reason}`);
    expect(message).not.toContain("s3cret");
  });

  test.each([
    ["docker=run", "docker.socket must be a string: an absolute path, such as /var/run/docker.sock"],
    ["docker,grace=1d", "grace must be a whole number from 0 to 31536000"],
    ["http=ftp://s3cret", "http must be a string of at most 2048 characters: a full URL that begins with"],
    ["docker,host=http://s3cret", "docker.host must be a host name or an IP address"],
    ['{"dokcer":{}}', "dokcer is not a known field: did you mean docker?"],
  ])("refuses the values of %p by the rules of a document", async (discover, reason) => {
    const message = await refusalOf(discover);
    expect(message).toStartWith(`--discover: ${reason}`);
    expect(message).not.toContain("s3cret");
  });

  test("names the variable, and may be empty", () => {
    const env = { STILLUP_DISCOVER: "docker=run" };
    expect(assertDiscoverable({}, read({}, env))).rejects.toThrow("STILLUP_DISCOVER: docker.socket");
    expect(read({ discover: "" }).discover).toBeUndefined();
    expect(settings.discover.secret).toBe(true);
  });
});

test("behavior 28.7: --config-org is the organization of --config and of --discover", () => {
  expect(read({ discover: "docker", configOrg: "abc" })).toMatchObject({ configOrg: "abc" });
  expect(read({ discover: "docker", configOrg: "abc" }).configuration).toBeUndefined();
  const both = read({ config: "package.json", discover: "docker", configOrg: "abc" });
  expect(both.configuration).toMatchObject({ organizationId: "abc", isDiscoverGiven: true });
  expect(() => read({ configOrg: "abc" })).toThrow(
    new UsageError("--config or --discover is missing: --config-org goes together with them"),
  );
});
