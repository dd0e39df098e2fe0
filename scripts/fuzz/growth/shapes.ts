import { challengeShapes } from "./challenge-shapes.ts";
import { dnsShapes } from "./dns-shapes.ts";
import { greetingShapes } from "./greeting-shapes.ts";
import { httpShapes } from "./http-shapes.ts";
import type { Shape } from "./shape.ts";
import { tcpShapes } from "./tcp-shapes.ts";
import { tlsShapes } from "./tls-shapes.ts";

export const SHAPES: readonly Shape[] = [
  ...httpShapes,
  ...challengeShapes,
  ...dnsShapes,
  ...tcpShapes,
  ...tlsShapes,
  ...greetingShapes,
];
