/** Problems by the form section that causes them. */
export interface PlacedProblems {
  readonly text: readonly string[];
  readonly points: readonly string[];
  /** Section of the kind: options, accepted answers, pairs. */
  readonly parts: readonly string[];
  readonly rest: readonly string[];
}

const PLACES: readonly (readonly [keyof PlacedProblems, RegExp])[] = [
  ['text', /^нет текста/],
  ['points', /балл\S* должн/],
  ['parts', /вариант|ответ|пар[аеыу]|пара|элемент|пункт|пропуск/],
];

/** «вопрос 3: нет текста» and «нет текста» are the same here. */
const bare = (problem: string) => problem.replace(/^Вопрос \d+:\s*/i, '');

/** Formatted as a sentence. */
const sentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

export function placeProblems(problems: readonly string[]): PlacedProblems {
  const placed: Record<keyof PlacedProblems, string[]> = {
    text: [],
    points: [],
    parts: [],
    rest: [],
  };
  for (const problem of problems) {
    const words = bare(problem);
    const place = PLACES.find(([, pattern]) => pattern.test(words.toLowerCase()))?.[0] ?? 'rest';
    placed[place].push(sentence(words));
  }
  return placed;
}
