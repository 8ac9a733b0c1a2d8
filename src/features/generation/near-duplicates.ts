import { similarTo } from '#domain/similar.ts';
import type { DrawnQuestion } from './assembly.ts';

const MAX_CHARACTERS = 60;

const quote = (text: string) => {
  const plain = text.replaceAll(/\s+/g, ' ').trim();
  return `«${plain.length > MAX_CHARACTERS ? `${plain.slice(0, MAX_CHARACTERS).trimEnd()}…` : plain}»`;
};

/** Reports drawn bank questions that resemble each other; those of one template do so on purpose. */
export function nearDuplicateMessages(items: readonly DrawnQuestion[]): string[] {
  const ofBank = items.flatMap(({ question, source }) =>
    source.kind === 'bank' ? [question] : [],
  );
  return ofBank.flatMap((question, index) => {
    const alike = similarTo(question, ofBank.slice(0, index));
    return alike === null
      ? []
      : [
          `Похожи: ${quote(alike.text)} и ${quote(question.text)}. Если оба не нужны, замените один.`,
        ];
  });
}
