import type { Area } from '#contract/questions.ts';
import type { DemoGap, DemoQuestion, HandIn, Sample } from './demo-question.ts';

export interface DemoPicture {
  /** Referenced in the content as `file:KEY`. */
  readonly key: string;
  /** Name inside `server/demo/pictures`. */
  readonly file: string;
  readonly mimeType: 'image/png';
  readonly alt: string;
}

export interface DemoTest {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  /** Key of the subject. */
  readonly theme: string;
  readonly topic: string;
  readonly difficulty: 'easy' | 'medium' | 'hard';
  /** `HH:mm:ss`. */
  readonly passTime: string;
  readonly attemptsCount: number;
  readonly questions: readonly DemoQuestion[];
  readonly pictures: readonly DemoPicture[];
}

/** Markdown with formulas: backslashes stay as written. Not called `md`: the formatter rewrites what that tags. */
export const raw = String.raw;

export function picture(key: string, alt: string): DemoPicture {
  return { key, file: `${key.replace(/^demo-/, '')}.png`, mimeType: 'image/png', alt };
}

/** The picture as a paragraph of its own. */
export function shown({ alt, key }: DemoPicture): string {
  return `\n\n![${alt}](file:${key})`;
}

/** Program text as a paragraph of its own. */
export function code(language: string, ...lines: string[]): string {
  return `\n\n\`\`\`${language}\n${lines.join('\n')}\n\`\`\``;
}

type Extra = Pick<DemoQuestion, 'explanation' | 'passage'>;

const common = (points: number, text: string, { explanation, passage }: Extra) => ({
  points,
  text,
  ...(explanation === undefined ? {} : { explanation }),
  ...(passage === undefined ? {} : { passage }),
});

interface ChoiceExtra extends Extra {
  shuffle?: boolean;
  scoring?: 'partial' | 'allOrNothing';
  order?: readonly string[];
  areas?: Readonly<Record<string, Area>>;
}

function choice(
  multiple: boolean,
  [points, text, right, distractors]: readonly [
    number,
    string,
    readonly string[],
    readonly string[],
  ],
  extra: ChoiceExtra,
): DemoQuestion {
  return {
    ...common(points, text, extra),
    kind: 'variant',
    multiple,
    shuffle: extra.shuffle ?? false,
    scoring: extra.scoring ?? 'partial',
    right,
    distractors,
    ...(extra.order === undefined ? {} : { order: extra.order }),
    ...(extra.areas === undefined ? {} : { areas: extra.areas }),
  };
}

/** One right option among distractors. */
export function single(
  points: number,
  text: string,
  right: readonly [string],
  distractors: readonly string[],
  extra: ChoiceExtra = {},
): DemoQuestion {
  return choice(false, [points, text, right, distractors], extra);
}

/** Two or more right options among distractors. */
export function several(
  points: number,
  text: string,
  right: readonly [string, string, ...string[]],
  distractors: readonly string[],
  extra: ChoiceExtra = {},
): DemoQuestion {
  return choice(true, [points, text, right, distractors], extra);
}

interface Mistakes {
  mistakes: readonly string[];
}

type Accepted = readonly (string | readonly [text: string, share: number])[];

/** An accepted answer is worth all points or, in a pair, its share of them. */
const typed = (accepted: Accepted, mistakes: readonly string[], tolerance = 0) => ({
  accepted: accepted.map((one) =>
    typeof one === 'string' ? { text: one, share: 1 } : { text: one[0], share: one[1] },
  ),
  tolerance,
  mistakes,
});

/** A number with an absolute tolerance (0); `mistakes` are wrong answers that students give. */
export function number(
  points: number,
  text: string,
  accepted: string,
  extra: Extra & Mistakes & { tolerance?: number },
): DemoQuestion {
  return {
    ...common(points, text, extra),
    ...typed([accepted], extra.mistakes, extra.tolerance),
    kind: 'open',
    input: 'number',
    samples: [],
  };
}

/** One line of text. */
export function short(
  points: number,
  text: string,
  accepted: Accepted,
  extra: Extra & Mistakes,
): DemoQuestion {
  return {
    ...common(points, text, extra),
    ...typed(accepted, extra.mistakes),
    kind: 'open',
    input: 'line',
    samples: [],
  };
}

/** A long text that a teacher grades. */
export function essay(
  points: number,
  text: string,
  extra: Extra & { samples?: readonly Sample[] } = {},
): DemoQuestion {
  return {
    ...common(points, text, extra),
    ...typed([], []),
    kind: 'open',
    input: 'text',
    samples: extra.samples ?? [],
  };
}

/** Left items with their right ones, which may repeat, and right items that match none. */
export function matching(
  points: number,
  text: string,
  pairs: readonly (readonly [left: string, right: string])[],
  extraRight: readonly string[],
  extra: Extra = {},
): DemoQuestion {
  return { ...common(points, text, extra), kind: 'compliance', pairs, extraRight };
}

/** Parts in their right order. */
export function ordering(
  points: number,
  text: string,
  items: readonly string[],
  extra: Extra = {},
): DemoQuestion {
  return { ...common(points, text, extra), kind: 'ordering', items };
}

/** A text with gaps: `[[1]]` is the place of the first of them, `[[2]]` of the second. */
export function gaps(
  points: number,
  text: string,
  fields: readonly DemoGap[],
  extra: Extra = {},
): DemoQuestion {
  return { ...common(points, text, extra), kind: 'gaps', gaps: fields };
}

/** A gap for a word. */
export const wordGap = (accepted: Accepted, ...mistakes: string[]): DemoGap => ({
  ...typed(accepted, mistakes),
  input: 'line',
});

/** A gap for an exact number. */
export const numberGap = (accepted: string, ...mistakes: string[]): DemoGap => ({
  ...typed([accepted], mistakes),
  input: 'number',
});

/** A gap with a list to choose from. */
export const choiceGap = (right: string, ...distractors: string[]): DemoGap => ({
  input: 'choice',
  right: [right],
  distractors,
});

/** A photo or a document to hand in, up to 10 MB, graded by a teacher. */
export function file(
  points: number,
  text: string,
  extra: Extra & { handIns?: readonly HandIn[] } = {},
): DemoQuestion {
  return {
    ...common(points, text, extra),
    kind: 'file',
    maxBytes: 10 * 1024 * 1024,
    accept: ['image/*', '.pdf'],
    handIns: extra.handIns ?? [],
  };
}
