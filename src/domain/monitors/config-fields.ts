import { Type } from "@sinclair/typebox";

/* Fields that several types of monitor have in their config. */

export const Interval = Type.Integer({
  minimum: 1,
  maximum: 86_400,
  description: "Seconds between two checks.",
});

export const Timeout = Type.Integer({
  minimum: 1,
  maximum: 60,
  description:
    "Seconds that a check may take, at most `interval`. Default: 10, or `interval` if that is less.",
});
