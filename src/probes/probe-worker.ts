/*
 * The entry point of the probe thread: it runs the checks that it is told to, each at its own millisecond, so that
 * nothing that the main thread does shows up as somebody's latency.
 */
import { isIP } from "node:net";
import { createNetwork, type Network } from "./network.ts";
import { countSocketsIn } from "./open-sockets.ts";
import { preferThisThread } from "./priority.ts";
import type { Beginning, Check, CheckReport, Order } from "./probe-messages.ts";
import { probe } from "./registry.ts";
import { createStallDetector } from "./stall-detector.ts";

declare const self: Worker;

/** No check is ordered earlier than this many milliseconds ahead: what seems to be was put back with the clock. */
const LONGEST_WAIT = 10_000;

/** A check that lasts longer than this many milliseconds reports how many sockets it may hold. */
const LONG_AFTER = 1000;

/** The question for IPv6 addresses may still be asked, over UDP and TCP, when those for IPv4 are tried. */
const SOCKETS_OF_LATE_QUESTION = 2;

/**
 * How many checks start in one turn of the event loop. Where more are due, they start late: all at once, they would
 * make each other slow, and targets would seem so.
 */
const STARTS_PER_TURN = 50;

preferThisThread();
const faults = createStallDetector();

/** The checks that wait for their time or run. */
const ends = new Map<number, AbortController>();

/** Those whose time has come. */
const due: (() => void)[] = [];

/** What this turn of the event loop has seen: a message costs more than what is in it. */
let reports: CheckReport[] = [];

self.onmessage = ({ data: { settings, sockets } }: MessageEvent<Beginning>) => {
  countSocketsIn(sockets);
  const network = createNetwork(settings);
  self.onmessage = ({ data: orders }: MessageEvent<Order[]>) => {
    for (const order of orders) {
      if ("check" in order) take(order.ticket, order.check, network);
      else if ("ping" in order) report({ ticket: order.ticket });
      else cancel(order.ticket);
    }
  };
};

function take(ticket: number, check: Check, network: Network): void {
  ends.set(ticket, new AbortController());
  const wait = Math.min(Math.max(0, check.startAt - Date.now()), LONGEST_WAIT);
  setTimeout(enqueue, wait, () => run(ticket, check, network));
}

function enqueue(start: () => void): void {
  if (due.push(start) === 1) setImmediate(startDue);
}

function startDue(): void {
  for (const start of due.splice(0, STARTS_PER_TURN)) start();
  if (due.length > 0) setImmediate(startDue);
}

function cancel(ticket: number): void {
  ends.get(ticket)?.abort();
  ends.delete(ticket);
}

async function run(ticket: number, { type, config, timeout }: Check, network: Network): Promise<void> {
  const end = ends.get(ticket);
  if (!end) return;
  const start = performance.now();
  let sockets: number | undefined;
  const watched: Network = {
    ...network,
    async addressesOf(host, patience) {
      const addresses = await network.addressesOf(host, patience);
      sockets = isIP(host) ? 1 : addresses.length + SOCKETS_OF_LATE_QUESTION;
      return addresses;
    },
  };
  const long = setTimeout(() => {
    if (sockets !== undefined) report({ ticket, sockets });
  }, LONG_AFTER);
  const seen = await probe(type, config, { timeout, network: watched, end });
  clearTimeout(long);
  if (!ends.delete(ticket)) return;
  report({ ticket, observation: faults.excuse(seen, start) });
}

function report(one: CheckReport): void {
  if (reports.push(one) > 1) return;
  setImmediate(() => {
    self.postMessage(reports);
    reports = [];
  });
}
