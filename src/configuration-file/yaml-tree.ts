import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  visit,
  type YAMLMap,
} from "yaml";
import { fieldOf } from "../domain/schemas/field-name.ts";
import type { SourceFault } from "./source-fault.ts";

/** Where a value is in a text. */
export interface Place {
  /** Counted from 1; of its key, or of what contains it if it is missing. */
  line?: number;
  /** The text of the value before any replacement, if it is a text. */
  text?: string;
}

/** The new text of a value, or what is wrong with the old one. */
export type ReplaceText = (text: string) => { text: string } | { fault: string };

export interface Tree {
  read(replace: ReplaceText): { value: unknown; faults: SourceFault[] };
  placeOf(path: string): Place;
}

/** Aliases of aliases can be many values, or endless. */
const MAX_VALUES = 500_000;
export const DEEPEST = 64;

/** A value of a map or list, with the node whose line is shown for it. */
interface Entry {
  key: string;
  shown: Node | null;
  node: Node | null;
}

/** @param lineAt the line of an offset in the text */
export function createTree(document: Document, lineAt: (offset: number) => number): Tree {
  const targets = targetsOf(document);
  let faults: SourceFault[] = [];
  /** Values and maps that were read. */
  let count = 0;

  function refuse(path: string, message: string, node: Node | null): undefined {
    faults.push({ path, message, ...lineOf(node) });
    return undefined;
  }

  function lineOf(node: Node | null): Pick<Place, "line"> {
    const offset = node?.range?.[0];
    return offset === undefined ? {} : { line: lineAt(offset) };
  }

  function plain(node: Node | null, path: string, { depth, replace }: Reading): unknown {
    if (isTooMuch()) return undefined;
    if (depth > DEEPEST) return refuse(path, `must be nested at most ${DEEPEST} levels deep`, node);
    const below = { depth: depth + 1, replace };
    if (isAlias(node)) {
      const target = targets.get(node);
      return target ? plain(target, path, below) : refuse(path, "must name an anchor above it", node);
    }
    if (isSeq(node)) return itemsOf(node.items).map((one) => plain(one.node, fieldOf(path, one.key), below));
    if (isMap(node)) return objectOf(node, path, below);
    return isScalar(node) ? scalarOf(node, path, replace) : null;
  }

  function objectOf(map: YAMLMap, path: string, reading: Reading): unknown {
    const entries = entriesOf(map, path, reading.depth);
    return Object.fromEntries(
      entries.map(({ key, node }) => [key, plain(node, fieldOf(path, key), reading)]),
    );
  }

  function scalarOf(scalar: Scalar, path: string, replace: ReplaceText): unknown {
    const { value } = scalar;
    if (typeof value === "number" && !Number.isFinite(value))
      return refuse(path, "must be a finite number", scalar);
    if (typeof value !== "string") return value;
    const replaced = replace(value);
    return "text" in replaced ? replaced.text : refuse(path, replaced.fault, scalar);
  }

  function isTooMuch(values = 1): boolean {
    const wasTooMuch = count > MAX_VALUES;
    count += values;
    if (count > MAX_VALUES && !wasTooMuch) refuse("", `must have at most ${MAX_VALUES} values`, null);
    return count > MAX_VALUES;
  }

  /** The entries of a map after the entries that it merges. Its own entries win. */
  function entriesOf(map: YAMLMap, path: string, depth: number): Entry[] {
    if (isTooMuch()) return [];
    const own = new Map<string, Entry>();
    const merged = new Map<string, Entry>();
    for (const { key, value } of map.items as Pair<Scalar<string>, Node | null>[]) {
      if (isMerge(key)) {
        for (const entry of mergedBy(value, fieldOf(path, key.value), depth + 1))
          if (!merged.has(entry.key)) merged.set(entry.key, entry);
      } else if (own.has(key.value)) refuse(fieldOf(path, key.value), "must not be in the map twice", key);
      else own.set(key.value, { key: key.value, shown: key, node: value });
    }
    return [...merged.values().filter(({ key }) => !own.has(key)), ...own.values()];
  }

  function mergedBy(node: Node | null, path: string, depth: number): Entry[] {
    const target = isAlias(node) ? targets.get(node) : node;
    if (isSeq(target)) return itemsOf(target.items).flatMap((item) => mergedBy(item.node, path, depth));
    if (isMap(target) && depth <= DEEPEST) {
      // A map may be merged many times.
      return isTooMuch(target.items.length) ? [] : entriesOf(target, path, depth);
    }
    refuse(path, "must be a map or an alias of one", node);
    return [];
  }

  function placeOf(path: string): Place {
    faults = [];
    count = 0;
    let [node, at, shown]: [Node | null, string, Node | null] = [document.contents, "", document.contents];
    while (at !== path) {
      const target = isAlias(node) ? (targets.get(node) ?? null) : node;
      const next = childrenOf(target, at).find(({ key }) => leadsTo(path, fieldOf(at, key)));
      if (!next) return lineOf(shown);
      at = fieldOf(at, next.key);
      ({ node, shown } = next);
    }
    return {
      ...lineOf(shown),
      ...(isScalar(node) && typeof node.value === "string" && { text: node.value }),
    };
  }

  function childrenOf(node: Node | null, path: string): Entry[] {
    if (isSeq(node)) return itemsOf(node.items);
    return isMap(node) ? entriesOf(node, path, 0) : [];
  }

  return {
    read(replace) {
      const value = plain(document.contents, "", { depth: 0, replace });
      return { value, faults };
    },
    placeOf,
  };
}

interface Reading {
  depth: number;
  replace: ReplaceText;
}

/** Whether what a path names is at another path, or below it. */
export function leadsTo(path: string, other: string): boolean {
  return path.startsWith(other) && /^$|^[.[]/.test(path.slice(other.length, other.length + 1));
}

function itemsOf(items: readonly unknown[]): Entry[] {
  return (items as (Node | null)[]).map((node, at) => ({ key: String(at), shown: node, node }));
}

function isMerge(key: Scalar<string>): boolean {
  return key.value === "<<" && key.type === "PLAIN";
}

/** For each alias the node with the last such anchor before it, which may contain the alias. */
function targetsOf(document: Document): Map<Alias, Node> {
  const anchored = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, {
    Node(_, node) {
      if (isAlias(node)) {
        const target = anchored.get(node.source);
        if (target) targets.set(node, target);
      } else if (node.anchor !== undefined) anchored.set(node.anchor, node);
    },
  });
  return targets;
}
