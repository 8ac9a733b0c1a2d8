import type { getBankFacets, QuestionKind } from '#contract/bank.ts';
import type { ReplyOf } from '#contract/route.ts';
import { compareNames } from '#domain/alphabet.ts';
import { difficultyLabel, subjectLabel } from '#domain/labels.ts';
import { wireKindLabel } from '#domain/labels-kinds.ts';
import type { OnSearch } from '#app/lib/list/use-list.ts';
import type { Filter } from '#app/ui/data/FilterBar.tsx';
import type { Choice } from '#app/ui/forms/SelectField.tsx';
import { changedBank } from './bank-address.ts';
import type { BankSearch } from './bank-search.ts';

type Facets = ReplyOf<typeof getBankFacets>;

const ORDERS = [
  { value: '', label: 'Сначала новые' },
  { value: 'facility', label: 'Сначала трудные' },
  { value: 'uses', label: 'Сначала частые' },
];

const itself = (value: string) => value;

/** Options with counts; chosen options stay even with a count of zero. */
function choicesOf(
  all: string,
  counts: Facets['tags'] | undefined,
  {
    value,
    label = itself,
    isSorted = false,
  }: {
    value: string | undefined;
    label?: (value: string) => string;
    isSorted?: boolean;
  },
): Choice[] {
  const known = (counts ?? []).map((one) => ({
    value: one.value,
    label: `${label(one.value)} (${one.count})`,
  }));
  const isKnown = value === undefined || known.some((one) => one.value === value);
  const choices = isKnown ? known : [...known, { value, label: label(value) }];
  if (isSorted) choices.sort((a, b) => compareNames(a.label, b.label));
  return [{ value: '', label: all }, ...choices];
}

/** The filters and the order of the bank. Filters without options are omitted. */
export function bankFilters(
  search: BankSearch,
  facets: Facets | undefined,
  onSearch: OnSearch<BankSearch>,
): Filter[] {
  const { bankOf, theme, topic, difficulty, kind, tag, sort } = search;
  const filter = (
    name: keyof BankSearch,
    label: string,
    choices: Choice[],
    value: string | undefined,
  ): Filter[] =>
    choices.length === 1
      ? []
      : [
          {
            label,
            choices,
            value: value ?? '',
            onChange: (next, replace) =>
              onSearch(changedBank(search, { [name]: next }), { replace }),
          },
        ];
  const banks = (facets?.shared ?? []).map(({ userId, userName }) => ({
    value: userId,
    label: userName,
  }));
  return [
    ...filter('bankOf', 'Чей банк', [{ value: '', label: 'Мой банк' }, ...banks], bankOf),
    ...filter(
      'theme',
      'Предмет',
      choicesOf('Все предметы', facets?.themes, {
        value: theme,
        label: subjectLabel,
        isSorted: true,
      }),
      theme,
    ),
    ...filter('topic', 'Тема', choicesOf('Все темы', facets?.topics, { value: topic }), topic),
    ...filter(
      'difficulty',
      'Сложность',
      choicesOf('Любая сложность', facets?.difficulties, {
        value: difficulty,
        label: difficultyLabel,
      }),
      difficulty,
    ),
    ...filter(
      'kind',
      'Вид',
      choicesOf('Любой вид', facets?.kinds, {
        value: kind,
        label: (value) => wireKindLabel(value as QuestionKind),
      }),
      kind,
    ),
    ...filter('tag', 'Метка', choicesOf('Все метки', facets?.tags, { value: tag }), tag),
    ...filter('sort', 'Порядок', ORDERS, sort).map((order) => ({ ...order, isOrder: true })),
  ];
}
