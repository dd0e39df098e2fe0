import { breaks, type Change, course, down, keeps, type Scenario, silent, UP } from "../scenario.ts";
import { all, deafens, once, refuses, resolvesTo, serves } from "../world/changes.ts";
import { http, OK } from "../world/http.ts";
import { GOOD_NAME, httpByName, httpMonitor } from "./plain.ts";

/** The address 224.0.0.1 is a group, to which Linux has no route for a connection. It sends nothing. */
const UNREACHABLE = "224.0.0.1";

/** To which addresses a name leads, and which of them answer. Addresses 1 and 2 are good, others are not. */
export const addresses: Scenario[] = [
  breaks(
    "moved-to-closed",
    "the name leads to an address where nothing listens",
    httpByName(),
    [resolvesTo(3), down("dns", "refused")],
    GOOD_NAME,
  ),
  breaks(
    "moved-to-silent",
    "the name leads to an address that answers no attempt to connect",
    httpByName(),
    [resolvesTo(4), silent("dns", "timeout")],
    [all(GOOD_NAME[0], once(deafens(4))), UP],
  ),
  breaks(
    "unreachable",
    "there is no route to the address",
    httpByName(),
    [resolvesTo(UNREACHABLE), down("dns", "unreachable", "refused")],
    GOOD_NAME,
  ),
  breaks(
    "all-closed",
    "nothing listens on any of four addresses",
    httpByName(),
    [all(resolvesTo(3, 5, 6, "::1"), refuses("::1")), down("dns", "refused")],
    GOOD_NAME,
  ),
  breaks(
    "wrong-family",
    "the name has no IPv6 address, and the monitor uses no other",
    httpByName({ ipFamily: 6 }),
    [resolvesTo(1), down("dns", "dns_not_found")],
    [all(resolvesTo(1, "::1"), serves(http(OK), 1, "::1")), UP],
  ),
  breaks(
    "literal-ipv6",
    "nothing listens on the IPv6 address",
    (spot) => httpMonitor({ url: `http://[::1]:${spot.port}/` })(spot),
    [refuses("::1"), down("port", "refused")],
    [serves(http(OK), "::1"), UP],
  ),
  kept(
    "ipv6-closed",
    "the IPv6 address of the name refuses connections",
    all(resolvesTo(1, "::1"), refuses("::1")),
  ),
  kept("ipv4-closed", "one of two addresses refuses connections", resolvesTo(3, 1)),
  kept("five-closed", "five of six addresses refuse connections", resolvesTo(3, 5, 6, 7, 8, 1)),
  kept("only-ipv6", "the name has only an IPv6 address", all(serves(http(OK), "::1"), resolvesTo("::1"))),
  kept("mapped", "the name has an IPv4 address within an IPv6 address", mapped()),
  kept("moved", "the name leads to another good address", all(serves(http(OK), 2), resolvesTo(2))),
  keptSilent("ipv6-silent", "the IPv6 address answers no attempt to connect", ["::1"], ["::1", 1]),
  keptSilent("ipv4-silent", "one of two addresses answers no attempt to connect", [4], [4, 1]),
  keptSilent("two-silent", "two of three addresses answer no attempt to connect", [4, 5], [4, 5, 1]),
  course("dies-behind-dead-ipv6", "the last good address dies too", httpByName(), [
    [all(GOOD_NAME[0], resolvesTo("::1", 1), refuses("::1")), UP],
    [refuses(1), down("port", "refused")],
    [serves(http(OK)), UP],
  ]),
];

function kept(name: string, about: string, odd: Change): Scenario {
  return keeps(name, about, httpByName(), odd, GOOD_NAME);
}

/** @param deaf addresses that answer nothing from the start @param leads to which the name then leads */
function keptSilent(
  name: string,
  about: string,
  deaf: (number | "::1")[],
  leads: (number | "::1")[],
): Scenario {
  const good = all(GOOD_NAME[0], once(deafens(...deaf)));
  return keeps(name, about, httpByName(), resolvesTo(...leads), [good, UP]);
}

function mapped(): Change {
  return (spot) => resolvesTo(`::ffff:${spot.address()}`)(spot);
}
