import type { Question } from '#contract/questions.ts';
import {
  fileNameOf,
  languageLoss,
  unillustrated,
  withPassageInText,
} from '#interchange/exported.ts';
import { latinLetter } from '#interchange/letters.ts';
import { alternativesLoss } from '#interchange/items/writing.ts';
import type { Writer } from '#interchange/model.ts';
import { plainToMarkdown } from '#interchange/html/to-markdown.ts';
import { markdownParts } from '#interchange/markdown-parts.ts';

/** A Markdown text as one line for formats without markup, and whether nothing was lost. */
function asPlainLine(markdown: string): { text: string; isWhole: boolean } {
  const given = markdown.trim();
  const text = markdownParts(given)
    .map(({ kind, raw, tex }) => {
      if (kind === 'inline') return `\\(${tex.trim()}\\)`;
      if (kind === 'display') return `$$${tex.trim()}$$`;
      return kind === 'prose' ? raw.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1') : raw;
    })
    .join('')
    .replaceAll(/\s*\n\s*/g, ' ');
  return { text, isWhole: plainToMarkdown(text, { inline: false }) === given };
}

type Variant = Extract<Question, { kind: 'variant' }>;

const MAX_OPTIONS = 26;

/** Why Aiken cannot express a question; null: it can. */
function obstacle(question: Question): string | null {
  if (question.kind !== 'variant' || question.multiple) {
    return 'не перенесён: Aiken знает только вопросы с одним верным вариантом';
  }
  const right = question.options.filter(({ isRight }) => isRight).length;
  if (question.options.length < 2 || right !== 1)
    return 'не перенесён: нет одного верного варианта';
  if (question.options.length > MAX_OPTIONS) return 'не перенесён: вариантов больше 26';
  const texts = [question.text, ...question.options.map(({ text }) => text)];
  return texts.some((text) => text.trim() === '') ? 'не перенесён: есть пустой текст' : null;
}

/** The losses of a question in Aiken, as one sentence. */
function leftBehind(question: Variant): string[] {
  const names = [
    question.points === 1 ? null : 'баллы',
    question.title === undefined ? null : 'название',
    question.topic === undefined ? null : 'тема',
    question.difficulty === undefined ? null : 'сложность',
    question.tags === undefined ? null : 'метки',
    question.explanation === undefined ? null : 'пояснение',
    question.transcript ? 'текст записи' : null,
    question.transcript && question.transcriptShown ? 'показ её текста ученикам' : null,
    question.options.some(({ feedback }) => feedback) ? 'отзывы на варианты' : null,
    question.shuffle ? 'перемешивание' : null,
  ].filter((name) => name !== null);
  return names.length === 0 ? [] : [`не перенесены ${names.join(', ')}`];
}

/** Writes the questions that Aiken can express. Each of the others is reported as a loss. */
export const writeAiken: Writer = async ({ title, questions, language }) => {
  const losses: string[] = [...languageLoss(language), ...alternativesLoss(questions)];
  const parts: string[] = [];
  for (const [index, given] of questions.entries()) {
    const merged = withPassageInText(given, index + 1);
    const { question, losses: lost } = unillustrated(merged.question, index + 1);
    const lose = (loss: string) => losses.push(`Вопрос ${index + 1}: ${loss}`);
    const reason = obstacle(question);
    if (reason !== null) {
      lose(reason);
      continue;
    }
    if (question.kind !== 'variant') continue;
    losses.push(...merged.losses, ...lost);
    leftBehind(question).forEach(lose);
    const text = asPlainLine(question.text);
    const options = question.options.map((option) => asPlainLine(option.text));
    if (![text, ...options].every(({ isWhole }) => isWhole)) {
      lose('разметка текста упрощена: Aiken — это простой текст в одну строку');
    }
    const right = question.options.findIndex(({ isRight }) => isRight);
    parts.push(
      [
        text.text,
        ...options.map((option, place) => `${latinLetter(place)}. ${option.text}`),
        `ANSWER: ${latinLetter(right)}\n`,
      ].join('\n'),
    );
  }
  return {
    fileName: fileNameOf(title, 'txt'),
    mimeType: 'text/plain;charset=utf-8',
    bytes: new TextEncoder().encode(parts.join('\n')),
    losses,
  };
};
