import type { Question } from '#contract/questions.ts';
import { areasPicture, hasAreas } from '#domain/areas.ts';
import { withoutPictures } from './markdown-parts.ts';

/** Applies a change to every text of a question. */
export function withTexts(question: Question, change: (text: string) => string): Question {
  const part = <P extends { text: string; feedback?: string | undefined }>(given: P): P => ({
    ...given,
    text: change(given.text),
    ...(given.feedback === undefined ? {} : { feedback: change(given.feedback) }),
  });
  const shared = {
    text: change(question.text),
    ...(question.explanation === undefined ? {} : { explanation: change(question.explanation) }),
    ...(question.passage && {
      passage: { ...question.passage, text: change(question.passage.text) },
    }),
  };
  switch (question.kind) {
    case 'open':
      return { ...question, ...shared, accepted: question.accepted.map(part) };
    case 'variant':
      return { ...question, ...shared, options: question.options.map(part) };
    case 'compliance':
      return {
        ...question,
        ...shared,
        left: question.left.map(part),
        right: question.right.map(part),
      };
    case 'ordering':
      return { ...question, ...shared, items: question.items.map(part) };
    case 'gaps':
      // The content of a gap is plain text without pictures.
      return { ...question, ...shared };
    case 'file':
      return { ...question, ...shared };
  }
}

export const AREAS_LOSS = 'областей на картинке не будет, останется список вариантов';

/** For formats in which a choice has no picture to tap on. */
function withoutAreas(question: Question): Question {
  if (question.kind !== 'variant') return question;
  const options = question.options.map((option) => {
    const listed = { ...option };
    delete listed.area;
    return listed;
  });
  return { ...question, options };
}

/** For formats without texts that questions share: it becomes a part of each question's text, which is a loss. */
export function withPassageInText(
  question: Question,
  number: number,
): { question: Question; losses: string[] } {
  const { passage, ...alone } = question;
  if (!passage) return { question, losses: [] };
  const merged = { ...alone, text: `${passage.text}\n\n${alone.text}` };
  const losses = [`Вопрос ${number}: общий текст войдёт в текст вопроса`];
  // The areas would lie on a picture of the shared text.
  const isCovered =
    merged.kind === 'variant' && hasAreas(merged.options) && areasPicture(passage.text) !== null;
  return isCovered
    ? { question: withoutAreas(merged), losses: [...losses, `Вопрос ${number}: ${AREAS_LOSS}`] }
    : { question: merged, losses };
}

/** The question without pictures, for formats that cannot contain them, and the losses. */
export function unillustrated(
  question: Question,
  number: number,
): { question: Question; losses: string[] } {
  let count = 0;
  const bare = withTexts(question, (text) => {
    const bare = withoutPictures(text);
    count += bare.count;
    return bare.text;
  });
  const hasLost = bare.kind === 'variant' && hasAreas(bare.options);
  const losses = [
    ...(hasLost ? [`Вопрос ${number}: ${AREAS_LOSS}`] : []),
    ...(count === 0
      ? []
      : [
          `Вопрос ${number}: вместо рисунков и записей остались их описания. Их переносят форматы Moodle XML и QTI`,
        ]),
  ];
  return { question: withoutAreas(bare), losses };
}

/** For formats that have no word for it, unless the key itself uses a right item twice. */
export const REUSE_LOSS = 'при обратном импорте повторять правые элементы будет нельзя';

/** A name for a file from a test's title. */
export function fileNameOf(title: string, extension: string): string {
  const stem = title
    .replaceAll(/[\\/:*?"<>|\p{Cc}]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 100)
    .trim()
    .replace(/^\.+|\.+$/g, '');
  return `${stem === '' ? 'Тест' : stem}.${extension}`;
}
