import type { Question } from '#contract/questions.ts';

/**
 * Properties that GIFT cannot express, written in a comment before the question, in Moodle's syntax for ids and tags:
 * `// [points:2] [shuffle:yes] [tag:степени]`. Other systems skip comments.
 */
const NAMES = [
  'points',
  'difficulty',
  'kind',
  'multiple',
  'shuffle',
  'scoring',
  'input',
  'tolerance',
  'right',
  'reuse',
  'accept',
  'bytes',
  'files',
  'language',
] as const;
export type MarkName = (typeof NAMES)[number];

export interface Marks {
  readonly values: ReadonlyMap<MarkName, string>;
  readonly tags: readonly string[];
}

const MARK = /\[([a-z]{2,12}):((?:\\[\\\]]|[^\]\n])*)\]/g;
const isName = (name: string): name is MarkName => (NAMES as readonly string[]).includes(name);

/** The marks of comment lines. */
export function readMarks(comments: readonly string[]): Marks {
  const values = new Map<MarkName, string>();
  const tags: string[] = [];
  for (const comment of comments) {
    for (const [, name = '', raw = ''] of comment.matchAll(MARK)) {
      const value = raw.replaceAll(/\\([\\\]])/g, '$1').trim();
      if (name === 'tag') tags.push(value);
      else if (isName(name)) values.set(name, value);
    }
  }
  return { values, tags };
}

const written = (name: string, value: string) =>
  `[${name}:${value.replaceAll(/\\(?=\\|\]|$)|\]/g, String.raw`\$&`)}]`;

/** A comment line with the marks; empty when there are none. */
export function writeMarks(
  values: Partial<Record<MarkName, string>>,
  tags: Question['tags'] = [],
): string {
  const marks = [
    ...Object.entries(values).map(([name, value]) => written(name, value)),
    ...tags.map((tag) => written('tag', tag)),
  ];
  return marks.length === 0 ? '' : `// ${marks.join(' ')}\n`;
}
