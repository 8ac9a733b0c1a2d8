import type { TeachingCounts } from '#contract/admin.ts';
import { formatCount, TESTS, type Forms } from './format.ts';

const CLASSES: Forms = ['класс', 'класса', 'классов'];
const BANK_QUESTIONS: Forms = ['вопрос банка', 'вопроса банка', 'вопросов банка'];
const TEMPLATES: Forms = ['шаблон', 'шаблона', 'шаблонов'];

/** «12 тестов, 3 класса, 40 вопросов банка»; empty: nothing. */
export const formatTeaching = (counts: TeachingCounts): string =>
  (
    [
      [counts.tests, TESTS],
      [counts.groups, CLASSES],
      [counts.bankEntries, BANK_QUESTIONS],
      [counts.templates, TEMPLATES],
    ] as const
  )
    .flatMap(([count, forms]) => (count > 0 ? [formatCount(count, forms)] : []))
    .join(', ');
