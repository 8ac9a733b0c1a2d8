/** Kinds of questions without a counterpart here: their names in Canvas, Common Cartridge, Blackboard and ILIAS. */
const REFUSED: readonly { readonly names: RegExp; readonly reason: string }[] = [
  {
    names: /^asslongmenu/,
    reason:
      'Длинные списки внутри текста (Long Menu): их вариантов в файле нет. Составьте в редакторе вопрос «Пропуски»',
  },
  {
    names: /^(?:calculated|formula|assformulaquestion)/,
    reason: 'Вычисляемый вопрос: числа в нём случайны. Сделайте шаблон на экране «Подбор»',
  },
  {
    names: /^(?:text_only_question|stimulus)/,
    reason: 'Это пояснение, на него не отвечают. Добавьте его в текст вопроса',
  },
  {
    names: /^(?:hot[ _]?spot|assimagemap)/,
    reason:
      'Выбор места на картинке из этого формата не переносится. Сделайте в редакторе выбор области на картинке',
  },
  {
    names: /^categorization/,
    reason: 'Распределение по группам: таких вопросов здесь нет. Сделайте вопрос «Соответствие»',
  },
  {
    names: /^(?:opinion scale|opinion_scale|likert)/,
    reason: 'Шкала мнений: верного ответа у неё нет, таких вопросов здесь нет',
  },
  { names: /^quiz bowl/, reason: 'Вопрос к готовому ответу (Quiz Bowl): таких вопросов здесь нет' },
  {
    names: /^asskprim/,
    reason: 'Верно или неверно для каждого утверждения: таких вопросов здесь нет',
  },
  { names: /^asserrortext/, reason: 'Поиск ошибок в тексте: таких вопросов здесь нет' },
];

/** Why a named kind is refused, in Russian; undefined if it may be read. */
export const refusalOf = (kind: string): string | undefined =>
  REFUSED.find(({ names }) => names.test(kind.toLowerCase()))?.reason;

export const isEssay = (kind: string): boolean =>
  /^(?:essay|short response|short_response|cc\.essay|asstextquestion|long.?answer)/i.test(kind);

export const isUpload = (kind: string): boolean => /^(?:file[ _]upload|assfileupload)/i.test(kind);

export const isMatching = (kind: string): boolean => /^matching/i.test(kind);

/** Kinds with fields in their text. */
export const isCloze = (kind: string): boolean =>
  isFilledIn(kind) ||
  /^(?:multiple_dropdowns_question|missing_word_question|jumbled[ _]sentence|assclozetest|cloze)/i.test(
    kind,
  );

/** Kinds with typed fields in their text. */
export const isFilledIn = (kind: string): boolean =>
  /^(?:fill_in_multiple_blanks_question|fill[ _]in[ _](?:the[ _])?blank[ _]plus|rich_fill_blank)/i.test(
    kind,
  );

export const MANY_BLANKS =
  'Несколько пропусков в одном поле: неясно, какой ответ к какому. Составьте в редакторе вопрос «Пропуски»';

export const MANY_FIELDS = (count: number): string =>
  `Полей для ответа ${count}. Разделите на отдельные вопросы`;

/** Blackboard writes the two answers of «Either/Or» as names instead of texts. */
const EITHER_OR: Readonly<Record<string, string>> = {
  'yes_no.true': 'Да',
  'yes_no.false': 'Нет',
  'agree_disagree.true': 'Согласен',
  'agree_disagree.false': 'Не согласен',
  'right_wrong.true': 'Правильно',
  'right_wrong.false': 'Неправильно',
  'true_false.true': 'Верно',
  'true_false.false': 'Неверно',
};
export const eitherOr = (text: string): string | undefined =>
  Object.hasOwn(EITHER_OR, text) ? EITHER_OR[text] : undefined;
