import type { Kind, QuestionOf, StudentQuestionOf } from '#domain/kinds/rules.ts';
import { formatNumber, formatPercent, letterOf } from '#domain/format.ts';
import type { Written } from '#interchange/xml-writer.ts';
import { LINE_WIDTH, paragraph, table, textRun } from './words.ts';
import type { PaperQuestion } from './variants.ts';

/** The key of a sheet: right answers with the sheet's letters and numbers. */

const BY_HAND = 'проверяет преподаватель';

function acceptedTexts(question: Pick<QuestionOf<'open'>, 'accepted' | 'tolerance'>): string {
  const right = question.accepted.filter(({ share }) => share > 0);
  if (right.length === 0) return BY_HAND;
  return right
    .map(({ text, share, tolerance = question.tolerance }) => {
      const about = tolerance > 0 ? ` ± ${formatNumber(tolerance, 10)}` : '';
      return `${text}${about}${share < 1 ? ` (${formatPercent(share)} баллов)` : ''}`;
    })
    .join('; ');
}

interface SheetKey {
  readonly text: string;
  /** Whether it quotes a text that students write. */
  readonly isQuoted?: boolean;
}
type WriteKey<K extends Kind> = (question: QuestionOf<K>, shown: StudentQuestionOf<K>) => SheetKey;

/** The letters of the right options, as the sheet has them. */
function rightLetters(
  options: readonly { readonly optionId: string; readonly isRight: boolean }[],
  shown: readonly { readonly optionId: string }[],
): string {
  const right = new Set(options.filter(({ isRight }) => isRight).map(({ optionId }) => optionId));
  return shown
    .flatMap(({ optionId }, index) => (right.has(optionId) ? [letterOf(index)] : []))
    .join(', ');
}

const gapsKey: WriteKey<'gaps'> = (question, shown) => {
  const lists = new Map(
    shown.gaps.map((gap) => [gap.gapId, gap.input === 'choice' ? gap.options : []]),
  );
  const text = question.gaps
    .map((gap) => {
      const right =
        gap.input === 'choice'
          ? rightLetters(gap.options, lists.get(gap.gapId) ?? [])
          : acceptedTexts(gap);
      return `${gap.gapId} — ${right}`;
    })
    .join('; ');
  return { text, isQuoted: true };
};

const pairsKey: WriteKey<'compliance'> = ({ left, pairs }, shown) => {
  const right = shown.right.map(({ rightId }) => rightId);
  const rightOf = new Map(pairs.map(({ leftId, rightId }) => [leftId, rightId]));
  const text = left
    .flatMap(({ leftId }, index) => {
      const place = right.indexOf(rightOf.get(leftId) ?? '');
      return place < 0 ? [] : [`${index + 1} — ${letterOf(place)}`];
    })
    .join(', ');
  return { text };
};

const KEYS: { readonly [K in Kind]?: WriteKey<K> } = {
  open: (question) => ({
    text: acceptedTexts(question),
    isQuoted: question.accepted.length > 0,
  }),
  variant: ({ options }, shown) => ({ text: rightLetters(options, shown.options) }),
  compliance: pairsKey,
  ordering({ items }, shown) {
    const places = shown.items.map(({ itemId }) => itemId);
    return { text: items.map(({ itemId }) => letterOf(places.indexOf(itemId))).join(' ') };
  },
  gaps: gapsKey,
};
const writerOf = <K extends Kind>({ kind }: { readonly kind: K }): WriteKey<K> | undefined =>
  KEYS[kind];

const keyOf = ({ question, shown }: PaperQuestion): SheetKey =>
  writerOf(question)?.(question, shown) ?? { text: BY_HAND };

/** The right answer, as written on the sheet. */
export const sheetKey = (one: PaperQuestion): string => keyOf(one).text;

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
      ...selected.map((one, index) => {
        const { text, isQuoted = false } = keyOf(one);
        return [
          cell(String(index + 1), {}),
          cell(text, { language: isQuoted ? language : undefined }),
          cell(formatNumber(one.question.points), {}),
        ];
      }),
      line(['', 'Всего', formatNumber(total)], true),
    ],
  });
}
