export interface DemoPicture {
  /** Referenced in the content as `file:KEY`. */
  readonly key: string;
  /** Name inside `server/demo/pictures`. */
  readonly file: string;
  readonly mimeType: 'image/png';
  readonly alt: string;
}

/** A file as a student hands it in, from `server/demo/pictures`; `share` is what its grade deserves, 0 to 1. */
export interface HandIn {
  readonly file: string;
  /** The name on the student's device. */
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
  readonly share: number;
  readonly comment: string;
}

/** A text as a student writes it where a teacher grades; `share` is what its grade deserves, 0 to 1. */
export interface Sample {
  readonly text: string;
  readonly share: number;
  readonly comment: string;
}

interface Common {
  readonly points: number;
  /** Markdown as in `Question`. */
  readonly text: string;
  readonly explanation?: string;
}

/** A question as authored: without ids, with the wrong answers that students usually give. */
export type DemoQuestion =
  | (Common & {
      readonly kind: 'open';
      readonly input: 'line' | 'number' | 'text';
      readonly accepted: readonly { readonly text: string; readonly share: number }[];
      readonly tolerance: number;
      readonly mistakes: readonly string[];
      readonly samples: readonly Sample[];
    })
  | (Common & {
      readonly kind: 'variant';
      readonly multiple: boolean;
      readonly shuffle: boolean;
      readonly scoring: 'partial' | 'allOrNothing';
      readonly right: readonly string[];
      readonly distractors: readonly string[];
      /** Options in exactly this order; without it the right ones are mixed in. */
      readonly order?: readonly string[];
    })
  | (Common & {
      readonly kind: 'compliance';
      readonly pairs: readonly (readonly [left: string, right: string])[];
      readonly extraRight: readonly string[];
    })
  | (Common & {
      readonly kind: 'file';
      readonly maxBytes: number;
      readonly accept: readonly string[];
      readonly handIns: readonly HandIn[];
    });

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

interface Explained {
  explanation?: string;
}

function common(points: number, text: string, { explanation }: Explained): Common {
  return { points, text, ...(explanation === undefined ? {} : { explanation }) };
}

interface Choice extends Explained {
  shuffle?: boolean;
  scoring?: 'partial' | 'allOrNothing';
  order?: readonly string[];
}

function choice(
  multiple: boolean,
  [points, text, right, distractors]: readonly [
    number,
    string,
    readonly string[],
    readonly string[],
  ],
  extra: Choice,
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
  };
}

/** One right option among distractors. */
export function single(
  points: number,
  text: string,
  right: readonly [string],
  distractors: readonly string[],
  extra: Choice = {},
): DemoQuestion {
  return choice(false, [points, text, right, distractors], extra);
}

/** Two or more right options among distractors. */
export function several(
  points: number,
  text: string,
  right: readonly [string, string, ...string[]],
  distractors: readonly string[],
  extra: Choice = {},
): DemoQuestion {
  return choice(true, [points, text, right, distractors], extra);
}

interface Keyed extends Explained {
  mistakes: readonly string[];
}

/** A number with an absolute tolerance (0); `mistakes` are wrong answers that students give. */
export function number(
  points: number,
  text: string,
  accepted: string,
  extra: Keyed & { tolerance?: number },
): DemoQuestion {
  return {
    ...common(points, text, extra),
    kind: 'open',
    input: 'number',
    accepted: [{ text: accepted, share: 1 }],
    tolerance: extra.tolerance ?? 0,
    mistakes: extra.mistakes,
    samples: [],
  };
}

/** One line of text; an accepted answer is worth all points or, in a pair, its share of them. */
export function short(
  points: number,
  text: string,
  accepted: readonly (string | readonly [text: string, share: number])[],
  extra: Keyed,
): DemoQuestion {
  return {
    ...common(points, text, extra),
    kind: 'open',
    input: 'line',
    accepted: accepted.map((one) =>
      typeof one === 'string' ? { text: one, share: 1 } : { text: one[0], share: one[1] },
    ),
    tolerance: 0,
    mistakes: extra.mistakes,
    samples: [],
  };
}

/** A long text that a teacher grades. */
export function essay(
  points: number,
  text: string,
  extra: Explained & { samples?: readonly Sample[] } = {},
): DemoQuestion {
  return {
    ...common(points, text, extra),
    kind: 'open',
    input: 'text',
    accepted: [],
    tolerance: 0,
    mistakes: [],
    samples: extra.samples ?? [],
  };
}

/** Left items with their right ones, and right items that match none. */
export function matching(
  points: number,
  text: string,
  pairs: readonly (readonly [left: string, right: string])[],
  extraRight: readonly string[],
  extra: Explained = {},
): DemoQuestion {
  return { ...common(points, text, extra), kind: 'compliance', pairs, extraRight };
}

/** A photo or a document to hand in, up to 10 MB, graded by a teacher. */
export function file(
  points: number,
  text: string,
  extra: Explained & { handIns?: readonly HandIn[] } = {},
): DemoQuestion {
  return {
    ...common(points, text, extra),
    kind: 'file',
    maxBytes: 10 * 1024 * 1024,
    accept: ['image/*', '.pdf'],
    handIns: extra.handIns ?? [],
  };
}
