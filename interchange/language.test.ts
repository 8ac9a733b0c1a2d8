import { expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { readFile, writeFile } from './formats.ts';
import type { FormatId } from './model.ts';
import { tools } from './testing/looks.ts';

const questions = ['One?', 'Two?'].map((text, index) => ({
  questionId: `00000000-0000-4000-8000-00000000000${index}`,
  kind: 'variant' as const,
  text,
  points: 1,
  multiple: false,
  shuffle: false,
  scoring: 'partial' as const,
  options: ['yes', 'no'].map((option) => ({
    optionId: option,
    text: option,
    isRight: option === 'yes',
  })),
}));
const written = (format: FormatId, language: string, of: readonly Question[] = questions) =>
  writeFile(format, { title: 'Test', language, questions: of, pictures: new Map() });

test.each<FormatId>(['qti2', 'qti3', 'gift', 'xlsx', 'csv', 'moodleXml', 'aiken'])(
  '%s carries the language of a test, or names it in a loss',
  async (format) => {
    for (const language of ['en', 'zh', 'ba']) {
      const { fileName, bytes, losses } = await written(format, language);
      const imported = await readFile({ name: fileName, bytes }, format, tools);
      expect(imported.items).toHaveLength(2);
      const isNamed = losses.some((line) => line.startsWith('Язык вопросов ('));
      expect([imported.language, isNamed]).toEqual(isNamed ? [undefined, true] : [language, false]);
    }
  },
);

test.each<FormatId>(['qti2', 'qti3', 'gift', 'xlsx', 'csv'])(
  '%s is one of those that carry it, and a Russian test has nothing to lose',
  async (format) => {
    expect((await written(format, 'en')).losses).toEqual([]);
    for (const any of [format, 'moodleXml', 'aiken'] as const)
      expect((await written(any, 'ru')).losses.join()).not.toContain('Язык');
  },
);

const table = (head: string, cell: string) => ({
  name: 'a.csv',
  bytes: new TextEncoder().encode(`Вопрос;Верные;${head}\nСколько?;5;${cell}\n`),
});

test.each([
  ['Язык', 'Английский', 'en'],
  ['Language', 'de-AT', 'de'],
  ['Язык вопросов', ' татарский ', 'tt'],
  ['Язык', 'эсперанто', undefined],
  ['Язык', 'toString', undefined],
  ['Язык', '', undefined],
])('a table with «%s» «%s» is in %s', async (head, cell, language) => {
  const imported = await readFile(table(head, cell), 'csv', tools);
  expect(imported.language).toBe(language);
  const isUnknown = cell !== '' && language === undefined;
  expect(imported.items[0]?.losses).toEqual(isUnknown ? [`Язык «${cell}» здесь не выбрать`] : []);
});

test.each<FormatId>(['qti2', 'qti3', 'gift', 'xlsx', 'csv'])(
  '%s carries it whatever stands before the first question, and without those that are left out',
  async (format) => {
    const [first, second] = questions;
    const passage = { passageId: '00000000-0000-4000-8000-000000000009', text: 'A passage' };
    const gaps: Question = { questionId: 'g', kind: 'gaps', text: 'Not here', points: 1, gaps: [] };
    if (!first || !second) throw new Error('unreachable');
    for (const list of [
      [{ ...first, topic: 'Grammar' }],
      [{ ...first, passage }],
      [gaps, second],
    ]) {
      const { fileName, bytes } = await written(format, 'de', list);
      const imported = await readFile({ name: fileName, bytes }, format, tools);
      expect(imported.language).toBe('de');
    }
  },
);
