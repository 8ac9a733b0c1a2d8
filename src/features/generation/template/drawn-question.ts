import type { Gap, Question } from '#contract/questions.ts';
import type { QuestionTemplate, TemplateBody } from '#contract/templates.ts';
import { shuffled } from '#domain/seeded-random.ts';
import type { DrawnContent } from './compiled.ts';
import type { DrawnGap, DrawnKey } from './keys.ts';

/** The template fields used for drawing. */
export type DrawnTemplate = Pick<QuestionTemplate, 'templateId' | 'body'>;

/** One draw of a template; its number reproduces it. */
export interface Drawn {
  readonly number: number;
  readonly content: DrawnContent;
}

type Key<K extends DrawnKey['kind']> = Extract<DrawnKey, { kind: K }>;

/** Shuffles the options of one draw. */
function optionsOf(
  { answer, distractors }: Key<'variant'>,
  seed: string,
  newId: () => string,
): Extract<Question, { kind: 'variant' }>['options'] {
  const wrong = distractors.map(({ text, feedback }) => ({
    text,
    isRight: false,
    ...(feedback.trim() === '' ? {} : { feedback }),
  }));
  return shuffled([{ text: answer, isRight: true }, ...wrong], seed).map((option) => ({
    optionId: newId(),
    ...option,
  }));
}

const accept = (text: string) => ({ text, share: 1 });

function gapOf(gap: DrawnGap, newId: () => string): Gap {
  const { gapId, input } = gap;
  const base = { gapId, weight: 1 };
  switch (input) {
    case 'line':
      return { ...base, input, accepted: gap.accepted.map(accept), tolerance: 0 };
    case 'number':
      return { ...base, input, accepted: [accept(gap.answer)], tolerance: gap.tolerance };
    case 'choice': {
      const options = [gap.right, ...gap.wrong].map((text, index) => ({
        optionId: newId(),
        text,
        isRight: index === 0,
      }));
      return { ...base, input, options };
    }
  }
}

/** Properties common to all questions of the template. */
function authored({ title, topic, difficulty, tags }: TemplateBody, explanation: string) {
  return {
    title,
    ...(topic === '' ? {} : { topic }),
    ...(difficulty === '' ? {} : { difficulty }),
    ...(tags.length === 0 ? {} : { tags: [...tags] }),
    ...(explanation.trim() === '' ? {} : { explanation }),
  };
}

/** The question of a draw: an ordinary question with its origin. */
export function questionOf(
  { templateId, body }: DrawnTemplate,
  seed: string,
  { number, content: { text, explanation, key } }: Drawn,
  newId: () => string,
): Question {
  const base = {
    questionId: newId(),
    text,
    points: body.points,
    ...authored(body, explanation),
    origin: { kind: 'template' as const, templateId, seed, number },
  };
  const { kind } = key;
  switch (kind) {
    case 'open':
      return {
        ...base,
        kind,
        input: 'number',
        accepted: [accept(key.answer)],
        tolerance: key.tolerance,
      };
    case 'variant':
      return {
        ...base,
        kind,
        multiple: false,
        shuffle: true,
        scoring: 'partial',
        options: optionsOf(key, `${seed}/${templateId}/${number}`, newId),
      };
    case 'gaps':
      return { ...base, kind, gaps: key.gaps.map((gap) => gapOf(gap, newId)) };
    case 'ordering':
      return { ...base, kind, items: key.items.map((item) => ({ itemId: newId(), text: item })) };
  }
}
