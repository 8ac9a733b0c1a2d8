import type { Question } from '#contract/questions.ts';
import type { QuestionTemplate, TemplateBody } from '#contract/templates.ts';
import type { DrawnContent } from './compiled.ts';

/** The template fields used for drawing. */
export type DrawnTemplate = Pick<QuestionTemplate, 'templateId' | 'body'>;

/** One draw of a template; its number reproduces it. */
export interface Drawn {
  readonly number: number;
  readonly content: DrawnContent;
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
  return {
    questionId: newId(),
    text,
    points: body.points,
    ...authored(body, explanation),
    origin: { kind: 'template', templateId, seed, number },
    ...key.fields(newId, `${seed}/${templateId}/${number}`),
  };
}
