import * as v from 'valibot';
import { Answer } from '#contract/answers.ts';

/** A typed answer as noted by a page, with the time of its last key. */
const Typed = v.object({
  owner: v.string(),
  attemptId: v.string(),
  stream: v.string(),
  answer: Answer,
  era: v.pipe(v.number(), v.integer(), v.minValue(0)),
  wall: v.number(),
  server: v.nullable(v.number()),
  seen: v.nullable(v.string()),
});
export type Typed = v.InferOutput<typeof Typed>;

/** Null: damaged. */
export function parseTyped(text: string): Typed | null {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Typed), text);
  return parsed.success ? parsed.output : null;
}

export const isSame = (one: Answer | null, other: Answer): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
