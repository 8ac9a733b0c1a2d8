import type { Question, StudentQuestion } from '#contract/questions.ts';
import { entryOf, type KindTable } from '#domain/kinds/kind-table.ts';
import { formatNumber, formatPercent, letterOf } from '#domain/format.ts';
import type { Written } from '#interchange/xml-writer.ts';
import { LINE_WIDTH, paragraph, table, textRun } from './words.ts';
import type { PaperQuestion } from './variants.ts';

/** The key of a sheet: right answers with the sheet's letters and numbers. */

const BY_HAND = 'проверяет преподаватель';

function acceptedTexts(
  question: Pick<Extract<Question, { kind: 'open' }>, 'accepted' | 'tolerance'>,
): string {
  const right = question.accepted.filter(({ share }) => share > 0);
  if (right.length === 0) return BY_HAND;
  return right
    .map(({ text, share, tolerance = question.tolerance }) => {
      const about = tolerance > 0 ? ` ± ${formatNumber(tolerance, 10)}` : '';
      return `${text}${about}${share < 1 ? ` (${formatPercent(share)} баллов)` : ''}`;
    })
    .join('; ');
}

/** The right answer, as written on the sheet. */
export const sheetKey = ({ question, shown }: PaperQuestion): string =>
  entryOf(KEYS, question)?.(question, shown) ?? BY_HAND;

const KEYS: KindTable<string, [shown: StudentQuestion]> = {
  open: acceptedTexts,
  variant(question, shown) {
    const right = new Set(
      question.options.filter(({ isRight }) => isRight).map(({ optionId }) => optionId),
    );
    return optionsOf(shown)
      .flatMap(({ optionId }, index) => (right.has(optionId) ? [letterOf(index)] : []))
      .join(', ');
  },
  compliance: pairsOf,
  ordering({ items }, shown) {
    const places = shown.kind === 'ordering' ? shown.items.map(({ itemId }) => itemId) : [];
    return items.map(({ itemId }) => letterOf(places.indexOf(itemId))).join(' ');
  },
  gaps: gapsKey,
};

function gapsKey(question: Extract<Question, { kind: 'gaps' }>, shown: StudentQuestion): string {
  const lists = new Map(
    shown.kind === 'gaps'
      ? shown.gaps.map((gap) => [gap.gapId, gap.input === 'choice' ? gap.options : []])
      : [],
  );
  return question.gaps
    .map((gap) => {
      if (gap.input !== 'choice') return `${gap.gapId} — ${acceptedTexts(gap)}`;
      const right = new Set(
        gap.options.filter(({ isRight }) => isRight).map(({ optionId }) => optionId),
      );
      const letters = (lists.get(gap.gapId) ?? []).flatMap(({ optionId }, index) =>
        right.has(optionId) ? [letterOf(index)] : [],
      );
      return `${gap.gapId} — ${letters.join(', ')}`;
    })
    .join('; ');
}

const optionsOf = (shown: StudentQuestion) => (shown.kind === 'variant' ? shown.options : []);

function pairsOf(
  { left, pairs }: Extract<Question, { kind: 'compliance' }>,
  shown: StudentQuestion,
): string {
  const right = shown.kind === 'compliance' ? shown.right.map(({ rightId }) => rightId) : [];
  const rightOf = new Map(pairs.map(({ leftId, rightId }) => [leftId, rightId]));
  return left
    .flatMap(({ leftId }, index) => {
      const place = right.indexOf(rightOf.get(leftId) ?? '');
      return place < 0 ? [] : [`${index + 1} — ${letterOf(place)}`];
    })
    .join(', ');
}

/** Whether the key quotes a text that students write. */
const isTyped = ({ question }: PaperQuestion): boolean =>
  (question.kind === 'open' && question.accepted.length > 0) || question.kind === 'gaps';

const WIDTHS = [800, LINE_WIDTH - 2_100, 1_300];

/** @param language of the students' texts; letters and numbers have none */
export function keyTable(selected: readonly PaperQuestion[], language?: string): Written {
  const cell = (text: string, look: Parameters<typeof textRun>[1]) => [
    paragraph([textRun(text, look)], { after: 40 }),
  ];
  const line = (cells: readonly string[], isBold = false) =>
    cells.map((text) => cell(text, { isBold }));
  const total = selected.reduce((sum, { question }) => sum + question.points, 0);
  return table({
    widths: WIDTHS,
    hasLines: true,
    hasHead: true,
    rows: [
      line(['№', 'Ответ', 'Баллы'], true),
      ...selected.map((one, index) => [
        cell(String(index + 1), {}),
        cell(sheetKey(one), { language: isTyped(one) ? language : undefined }),
        cell(formatNumber(one.question.points), {}),
      ]),
      line(['', 'Всего', formatNumber(total)], true),
    ],
  });
}
