import { describe, expect, test } from "bun:test";
import { type DnsMemory, type ExpectedRecords, judgeAnswer } from "../../../src/domain/checks/dns-answer.ts";
import type { Lookup, LookupFailure, RecordType } from "../../../src/domain/checks/observation.ts";

const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.parse("2027-01-31T00:00:00Z");

const found = (recordType: RecordType, ...values: string[]): Lookup => ({
  recordType,
  values,
  failure: null,
});
const none = (recordType: RecordType, failure: LookupFailure): Lookup => ({
  recordType,
  values: [],
  failure,
});

/** A monitor with a memory, for several checks. */
function monitor(config: ExpectedRecords = {}) {
  let memory: DnsMemory | null = null;
  return (now: number, ...lookups: Lookup[]) => {
    const judged = judgeAnswer({ hostname: "example.com", lookups }, config, memory, now);
    memory = judged.memory;
    const { added, gone, omitted, reason, failures } = judged.detail;
    return { status: judged.status, added, gone, omitted, reason, failures };
  };
}

describe("behavior 4.6, 4.7, 4.8: without `expected`", () => {
  test("the first answer is present", () => {
    expect(monitor()(NOW, found("A", "192.0.2.1"))).toMatchObject({ status: "present", added: [], gone: [] });
  });

  test("a new value is a change once, and present from then on", () => {
    const check = monitor();
    check(NOW, found("A", "192.0.2.1"));
    const moved = check(NOW + 1, found("A", "192.0.2.2"));
    expect(moved).toMatchObject({ status: "changed", added: ["192.0.2.2"], gone: ["192.0.2.1"] });
    const settled = check(NOW + 2, found("A", "192.0.2.2"));
    expect(settled).toMatchObject({ status: "present", added: [], gone: [] });
  });

  test("a rotating pool is present after each of its values was seen", () => {
    const check = monitor();
    const statuses = ["1", "2", "3", "1", "3", "2", "2", "1"].map(
      (last, at) => check(NOW + at, found("A", `192.0.2.${last}`)).status,
    );
    expect(statuses).toEqual(["present", "changed", "changed", ...Array(5).fill("present")]);
  });

  test("behavior 4.7, 4.12: a value that disappeared is no change, but is in the detail", () => {
    const check = monitor();
    check(NOW, found("A", "192.0.2.1", "192.0.2.2"));
    const fewer = check(NOW + 1, found("A", "192.0.2.1"));
    expect(fewer).toMatchObject({ status: "present", gone: ["192.0.2.2"] });
  });

  test("a value expires 7 days after it was seen last", () => {
    const returnAfter = (days: number) => {
      const check = monitor();
      check(NOW, found("A", "192.0.2.1"));
      check(NOW + 1, found("A", "192.0.2.2"));
      check(NOW + DAY, found("A", "192.0.2.2"));
      return check(NOW + days * DAY, found("A", "192.0.2.1")).status;
    };
    expect([returnAfter(7), returnAfter(7.1)]).toEqual(["present", "changed"]);
  });

  test("the latest answer stays known over a pause of any length", () => {
    const check = monitor();
    check(NOW, found("A", "192.0.2.1"));
    expect(check(NOW + 30 * DAY, found("A", "192.0.2.1")).status).toBe("present");
  });

  test("a value that returns after an outage is no change", () => {
    const check = monitor();
    check(NOW, found("A", "192.0.2.1"));
    expect(check(NOW + 1, none("A", "servfail")).status).toBe("missing");
    expect(check(NOW + 2, found("A", "192.0.2.1")).status).toBe("present");
  });

  test("behavior 4.13: names are compared without case, and addresses in any spelling", () => {
    const check = monitor();
    check(NOW, found("AAAA", "2001:db8::1"), found("CNAME", "a.example.com"));
    const again = check(NOW + 1, found("AAAA", "2001:DB8:0:0::1"), found("CNAME", "A.Example.com."));
    expect(again.status).toBe("present");
  });

  test("behavior 4.13: texts are compared exactly", () => {
    const check = monitor();
    check(NOW, found("TXT", "Key=a"));
    expect(check(NOW + 1, found("TXT", "key=a")).status).toBe("changed");
  });

  test("behavior 4.14: a name whose every answer is new has a bounded memory of the latest values", () => {
    let memory: DnsMemory | null = null;
    for (let at = 0; at < 700; at++) {
      const answer = { hostname: "example.com", lookups: [found("TXT", `nonce ${at}`)] };
      memory = judgeAnswer(answer, {}, memory, NOW + at).memory;
    }
    const times = Object.values(memory?.seen ?? {});
    expect(times).toHaveLength(500);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(NOW + 200);
  });

  test("a name whose every answer is new and has 60 kB has a memory of at most 40 kB", () => {
    let memory: DnsMemory | null = null;
    for (let at = 0; at < 600; at++) {
      const answer = { hostname: "example.com", lookups: [found("TXT", `${at}${"\u0001".repeat(60_000)}`)] };
      memory = judgeAnswer(answer, {}, memory, NOW + at).memory;
    }
    expect(JSON.stringify(memory).length).toBeLessThan(40_000);
  });

  test("texts that differ only after the part that a detail shows are different", () => {
    const check = monitor();
    const long = "x".repeat(60_000);
    check(NOW, found("TXT", `${long}a`));
    expect(check(NOW + 1, found("TXT", `${long}b`)).status).toBe("changed");
    expect(check(NOW + 2, found("TXT", `${long}a`))).toMatchObject({ status: "present" });
  });

  test("values that disappeared are listed as far as the memory has them, and the others are counted", () => {
    const check = monitor();
    const value = (at: number) => `${String(at).padStart(3, "0")} ${"x".repeat(1000)}`;
    check(NOW, found("TXT", ...Array.from({ length: 100 }, (_, at) => value(at))));
    const { gone, omitted } = check(NOW + 1, found("TXT", value(0)));
    const named = gone as string[];
    expect(named).toContain(value(1).slice(0, 256));
    expect(named.length + (omitted as { gone: number }).gone).toBe(99);
  });

  test("an answer with more values than the bound of the memory is present the next time", () => {
    const check = monitor();
    const many = found("TXT", ...Array.from({ length: 600 }, (_, at) => `value ${at}`));
    check(NOW, found("TXT", "value 0"));
    expect(check(NOW + 1, many).status).toBe("changed");
    expect(check(NOW + 2, many)).toMatchObject({ status: "present", added: [], gone: [] });
  });

  test("a text may be the name of a property of every object", () => {
    const check = monitor();
    check(NOW, found("TXT", "a"));
    expect(check(NOW + 1, found("TXT", "__proto__", "constructor")).status).toBe("changed");
    expect(check(NOW + 2, found("TXT", "__proto__", "constructor")).status).toBe("present");
  });
});

describe("behavior 4.10, 4.11, 4.12: two families of addresses", () => {
  test("a family without records is no failure if the other has some", () => {
    const judged = monitor()(NOW, found("A", "192.0.2.1"), none("AAAA", "no_data"));
    expect(judged).toMatchObject({ status: "present", failures: undefined });
  });

  test("only the family that was answered is judged if the other fails", () => {
    const check = monitor();
    check(NOW, found("A", "192.0.2.1"), found("AAAA", "2001:db8::1"));
    const partial = check(NOW + 1, found("A", "192.0.2.1"), none("AAAA", "timeout"));
    expect(partial).toMatchObject({ status: "present", gone: [], failures: { AAAA: "timeout" } });
    const whole = check(NOW + 2, found("A", "192.0.2.1"), found("AAAA", "2001:db8::1"));
    expect(whole).toMatchObject({ status: "present", added: [] });
  });

  test.each<LookupFailure>(["servfail", "timeout"])(
    "the first answer of one that began with %s is no change, and its second may be",
    (failure) => {
      const check = monitor();
      check(NOW, found("A", "192.0.2.1"), none("AAAA", failure));
      const whole = check(NOW + 1, found("A", "192.0.2.1"), found("AAAA", "2001:db8::1"));
      expect(whole).toMatchObject({ status: "present", added: [], gone: [] });
      const moved = check(NOW + 2, found("A", "192.0.2.1"), found("AAAA", "2001:db8::2"));
      expect(moved).toMatchObject({ status: "changed", added: ["2001:db8::2"], gone: ["2001:db8::1"] });
    },
  );

  test("the first record of a family that was answered without records is a change", () => {
    const check = monitor();
    check(NOW, found("A", "192.0.2.1"), none("AAAA", "no_data"));
    check(NOW + 1, found("A", "192.0.2.1"), none("AAAA", "servfail"));
    const more = check(NOW + 2, found("A", "192.0.2.1"), found("AAAA", "2001:db8::1"));
    expect(more).toMatchObject({ status: "changed", added: ["2001:db8::1"], gone: [] });
  });

  test("a family that failed for more than 7 days starts a new memory", () => {
    const after = (days: number) => {
      const check = monitor();
      check(NOW, found("A", "192.0.2.1"), found("AAAA", "2001:db8::1"));
      for (let day = 1; day < days; day++) {
        check(NOW + day * DAY, found("A", "192.0.2.1"), none("AAAA", "timeout"));
      }
      return check(NOW + days * DAY, found("A", "192.0.2.1"), found("AAAA", "2001:db8::2"));
    };
    expect(after(7)).toMatchObject({ status: "changed", added: ["2001:db8::2"] });
    expect(after(8)).toMatchObject({ status: "present", added: [] });
  });

  test("a family that disappeared although it was answered is in the detail", () => {
    const check = monitor();
    check(NOW, found("A", "192.0.2.1"), found("AAAA", "2001:db8::1"));
    const without = check(NOW + 1, found("A", "192.0.2.1"), none("AAAA", "no_data"));
    expect(without).toMatchObject({ status: "present", gone: ["2001:db8::1"] });
  });
});

test.each<[LookupFailure, LookupFailure, LookupFailure]>([
  ["nxdomain", "nxdomain", "nxdomain"],
  ["no_data", "no_data", "no_data"],
  ["servfail", "servfail", "servfail"],
  ["no_data", "timeout", "timeout"],
  ["refused", "no_data", "refused"],
  ["malformed", "malformed", "malformed"],
  ["error", "error", "error"],
])("without any record (A: %s, AAAA: %s) the status is missing, with the reason %s", (a, aaaa, reason) => {
  const judged = monitor()(NOW, none("A", a), none("AAAA", aaaa));
  expect(judged).toMatchObject({ status: "missing", reason });
});

describe("behavior 4.9: with `expected`", () => {
  test("the first answer is compared with it too", () => {
    const judged = monitor({ expected: ["192.0.2.1"] })(NOW, found("A", "192.0.2.9"));
    expect(judged).toMatchObject({ status: "changed", added: ["192.0.2.9"], gone: ["192.0.2.1"] });
  });

  test("a difference counts for as long as it lasts", () => {
    const check = monitor({ expected: ["192.0.2.1"] });
    const statuses = ["1", "2", "2", "2", "1"].map(
      (last, at) => check(NOW + at, found("A", `192.0.2.${last}`)).status,
    );
    expect(statuses).toEqual(["present", "changed", "changed", "changed", "present"]);
  });

  test("a missing value and an additional value are differences", () => {
    const check = monitor({ expected: ["192.0.2.1", "192.0.2.2"] });
    expect(check(NOW, found("A", "192.0.2.1")).status).toBe("changed");
    expect(check(NOW, found("A", "192.0.2.1", "192.0.2.2", "192.0.2.3")).status).toBe("changed");
    expect(check(NOW, found("A", "192.0.2.2", "192.0.2.1")).status).toBe("present");
  });

  test.each<[RecordType, string, string]>([
    ["MX", "10 Mail.Example.com.", "10 mail.example.com"],
    ["NS", "NS1.example.com.", "ns1.example.com"],
    ["CAA", "0 issue letsencrypt.org", '0 issue "letsencrypt.org"'],
    ["SRV", "10  5 5060 sip.example.com.", "10 5 5060 sip.example.com"],
    ["AAAA", "2001:DB8:0::1", "2001:db8::1"],
    ["TXT", "v=spf1 -all", "v=spf1 -all"],
  ])("%s records are accepted in the spelling %s", (type, expected, value) => {
    expect(monitor({ expected: [expected] })(NOW, found(type, value)).status).toBe("present");
  });

  test("expected values of a family that failed are no difference", () => {
    const check = monitor({ expected: ["192.0.2.1", "2001:db8::1"] });
    expect(check(NOW, found("A", "192.0.2.1"), none("AAAA", "servfail")).status).toBe("present");
    expect(check(NOW, found("A", "192.0.2.1"), none("AAAA", "no_data")).status).toBe("changed");
  });

  test("without any record the status is missing, not changed", () => {
    expect(monitor({ expected: ["192.0.2.1"] })(NOW, none("A", "nxdomain")).status).toBe("missing");
  });
});

test.each([
  ['"v=spf1 -all"', "v=spf1 -all"],
  ['"v=DKIM1; p=AB" "CD"', "v=DKIM1; p=ABCD"],
  ['"a \\"b\\" \\\\"', 'a "b" \\'],
  ['"quoted"', '"quoted"'],
  ['a "b"', 'a "b"'],
  ['"p=r\\195\\169ject" " \\; \\010é"', "p=réject ; \né"],
])("behavior 4.13, 4.25, 4.26: the expected TXT record %s is the content %s", (expected, content) => {
  const others = found("TXT", "other", content);
  const cases: [ExpectedRecords, Lookup][] = [
    [{ expected: [expected] }, found("TXT", content)],
    [{ expectedAny: [expected, "none"] }, others],
    [{ expectedContains: [expected, "the"] }, others],
  ];
  for (const [config, answer] of cases) {
    const [value = ""] = answer.values.slice(-1);
    const changed = found("TXT", ...answer.values.slice(0, -1), value.slice(0, 3));
    expect(monitor(config)(NOW, answer).status).toBe("present");
    expect(monitor(config)(NOW, changed).status).toBe("changed");
  }
});

describe("behavior 4.24: with an empty `expected`", () => {
  const check = (...lookups: Lookup[]) => monitor({ expected: [] })(NOW, ...lookups);

  test.each(["nxdomain", "no_data"] as const)("%s is present", (failure) => {
    expect(check(none("A", failure), none("AAAA", failure))).toEqual({
      status: "present",
      added: [],
      gone: [],
    } as never);
  });

  test("any record is a change, for as long as it is there", () => {
    const again = monitor({ expected: [] });
    for (const at of [0, 1])
      expect(again(NOW + at, found("A", "192.0.2.1"), none("AAAA", "no_data"))).toMatchObject({
        status: "changed",
        added: ["192.0.2.1"],
        gone: [],
      });
    expect(again(NOW + 2, none("A", "nxdomain"), none("AAAA", "nxdomain")).status).toBe("present");
  });

  test.each(["servfail", "refused", "error", "malformed", "timeout"] as const)("%s is missing", (failure) => {
    expect(check(none("A", failure))).toMatchObject({ status: "missing", reason: failure });
    expect(check(none("A", "nxdomain"), none("AAAA", failure))).toMatchObject({
      status: "missing",
      reason: failure,
    });
    expect(check(found("A", "192.0.2.1"), none("AAAA", failure)).status).toBe("changed");
  });

  test("a record after it has ended is a change", () => {
    const { memory } = judgeAnswer(
      { hostname: "example.com", lookups: [none("A", "nxdomain")] },
      { expected: [] },
      null,
      NOW,
    );
    const answer = { hostname: "example.com", lookups: [found("A", "192.0.2.1")] };
    expect(judgeAnswer(answer, {}, memory, NOW + 1).status).toBe("changed");
  });
});

describe("behavior 4.25: with `expectedAny`", () => {
  const check = (listed: string[], ...lookups: Lookup[]) => monitor({ expectedAny: listed })(NOW, ...lookups);

  test("one of the records among others is present", () => {
    const lookup = found("MX", "10 a.example.com", "20 b.example.com");
    expect(check(["10 x.example.com", "20 B.example.com."], lookup)).toMatchObject({
      status: "present",
      added: [],
      gone: [],
    });
  });

  test("none of them is a change, for as long as it lasts", () => {
    const again = monitor({ expectedAny: ["192.0.2.1", "192.0.2.2"] });
    for (const at of [0, 1])
      expect(again(NOW + at, found("A", "192.0.2.12"))).toMatchObject({
        status: "changed",
        added: ["192.0.2.12"],
        gone: ["192.0.2.1", "192.0.2.2"],
      });
  });

  test("a record of either family is enough, and a family without an answer proves nothing", () => {
    expect(check(["2001:DB8::1"], found("A", "192.0.2.9"), found("AAAA", "2001:db8::1")).status).toBe(
      "present",
    );
    expect(check(["2001:db8::1"], found("A", "192.0.2.9"), none("AAAA", "servfail"))).toMatchObject({
      status: "present",
      failures: { AAAA: "servfail" },
    });
    expect(check(["2001:db8::1"], found("A", "192.0.2.9"), none("AAAA", "no_data")).status).toBe("changed");
  });

  test.each(["nxdomain", "servfail", "timeout"] as const)("%s is missing", (failure) => {
    expect(check(["192.0.2.1"], none("A", failure))).toMatchObject({ status: "missing", reason: failure });
  });
});

describe("behavior 4.26: with `expectedContains`", () => {
  const check = (texts: string[], ...lookups: Lookup[]) =>
    monitor({ expectedContains: texts })(NOW, ...lookups);

  test.each<[string[], Lookup, string[]]>([
    [["192.0.2.1"], found("A", "192.0.2.3", "192.0.2.1"), []],
    [["192.0.2.1", "192.0.2.3"], found("A", "192.0.2.3", "192.0.2.1", "192.0.2.2"), []],
    [["192.0.2.1", "192.0.2.4"], found("A", "192.0.2.3", "192.0.2.1"), ["192.0.2.4"]],
    [["192.0.2.1"], found("A", "192.0.2.10"), ["192.0.2.1"]],
    [["192.0.2."], found("A", "192.0.2.10"), []],
    [["2001:DB8:0::1"], found("AAAA", "2001:db8::1"), []],
    [["2001:db8::1"], found("AAAA", "2001:db8::11"), ["2001:db8::1"]],
    [["2001:DB8:"], found("AAAA", "2001:db8::11"), []],
    [["Mail.Example.com."], found("MX", "10 mail.example.com"), []],
    [["20 mail.example.com"], found("MX", "10 mail.example.com"), ["20 mail.example.com"]],
    [["include:_spf.example.com"], found("TXT", "x", "v=spf1 include:_spf.example.com -all"), []],
    [["INCLUDE:_spf.example.com"], found("TXT", "include:_spf.example.com"), ["INCLUDE:_spf.example.com"]],
    [["ip4:192.0.2.1", "192.0.2.1"], found("TXT", "v=spf1 ip4:192.0.2.1 -all"), []],
    [["v=spf1", "-all"], found("TXT", "v=spf1 ~all", "x -all"), []],
    [["letsencrypt.org"], found("CAA", '0 issue "letsencrypt.org"'), []],
  ])("%j of %p lacks %j", (texts, lookup, gone) => {
    expect(check(texts, lookup)).toMatchObject({
      status: gone.length > 0 ? "changed" : "present",
      added: [],
      gone,
    });
  });

  test("each text is compared with the records of its family, and a family without an answer proves nothing", () => {
    const texts = ["192.0.2.1", "2001:db8::1"];
    const [four, six] = [found("A", "192.0.2.1"), found("AAAA", "2001:db8::1")];
    expect(check(texts, four, six).status).toBe("present");
    expect(check(texts, four, none("AAAA", "timeout")).status).toBe("present");
    expect(check(texts, four, none("AAAA", "no_data"))).toMatchObject({
      status: "changed",
      gone: ["2001:db8::1"],
    });
  });

  test.each(["nxdomain", "no_data", "refused"] as const)("%s is missing", (failure) => {
    expect(check(["192.0.2.1"], none("A", failure))).toMatchObject({ status: "missing", reason: failure });
  });
});
