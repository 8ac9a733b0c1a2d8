import { GAP_TEXT_CHARACTERS, PARTS_PER_QUESTION } from '#contract/limits.ts';
import type { TemplateBody, TemplateGap } from '#contract/templates.ts';
import { NBSP } from '#domain/format.ts';
import { gapIdsIn } from '#domain/format-gaps.ts';
import { markRepeated, shownIdentity } from '#domain/normalise.ts';
import { isSame, type Values } from './expression.ts';
import type { TemplateReader } from './reader.ts';
import { TemplateError } from './template-error.ts';

/** A gap as displayed, with its numbers formatted. */
export type DrawnGap = { readonly gapId: string } & (
  | { readonly input: 'line'; readonly accepted: readonly string[] }
  | { readonly input: 'number'; readonly answer: string; readonly tolerance: number }
  | { readonly input: 'choice'; readonly right: string; readonly wrong: readonly string[] }
);

/** The key of one drawn question, as displayed. */
export type DrawnKey =
  | { readonly kind: 'open'; readonly answer: string; readonly tolerance: number }
  | {
      readonly kind: 'variant';
      readonly answer: string;
      readonly distractors: readonly { readonly text: string; readonly feedback: string }[];
    }
  | { readonly kind: 'gaps'; readonly gaps: readonly DrawnGap[] }
  /** In the right order. */
  | { readonly kind: 'ordering'; readonly items: readonly string[] };

/** The key of a set of values and the question's text for it. Throws `TemplateError`. */
type CompiledKey = (values: Values, text: string) => DrawnKey;
type Key<K extends DrawnKey['kind']> = Extract<TemplateBody['key'], { kind: K }>;

/** Degrees, minutes and seconds directly follow the number, other units after a non-breaking space. */
const withUnit = (number: string, unit: string) => {
  const plain = unit.trim();
  if (plain === '') return number;
  return /^[°'′"″]/.test(plain) ? `${number}${plain}` : `${number}${NBSP}${plain}`;
};

/** All parts; null: one of them has errors. */
function whole<T>(parts: readonly (T | null)[]): readonly T[] | null {
  const sound = parts.filter((part) => part !== null);
  return sound.length < parts.length ? null : sound;
}

/** @throws {TemplateError} two of the texts look the same to a student */
function refuseRepeated(what: string, texts: readonly string[]): void {
  const taken = new Set<string>();
  for (const text of texts) {
    const same = shownIdentity(text);
    if (taken.has(same))
      throw new TemplateError(`${what} повторяются: «${text}» встречается дважды`);
    taken.add(same);
  }
}

function compileOpen(reader: TemplateReader, { answer, tolerance }: Key<'open'>) {
  const number = reader.number('answer', answer);
  return (
    number && ((values: Values): DrawnKey => ({ kind: 'open', answer: number(values), tolerance }))
  );
}

function compileVariant(
  reader: TemplateReader,
  { answer, unit, distractors }: Key<'variant'>,
): CompiledKey | null {
  const right = reader.number('answer', answer);
  if (distractors.length === 0) reader.note('distractors', 'Нужен хотя бы один неверный вариант');
  if (distractors.length >= PARTS_PER_QUESTION)
    reader.note('distractors', `Вариантов не больше ${PARTS_PER_QUESTION}`);
  const wrong = whole(
    distractors.map(({ expression, feedback }, index) => {
      const number = reader.number(`distractors.${index}.expression`, expression);
      const explanation = reader.text(`distractors.${index}.feedback`, feedback);
      return number && explanation && { number, explanation };
    }),
  );
  if (!right || !wrong) return null;
  return (values) => {
    const drawn = {
      kind: 'variant' as const,
      answer: withUnit(right(values), unit),
      distractors: wrong.map(({ number, explanation }) => ({
        text: withUnit(number(values), unit),
        feedback: explanation.write(values),
      })),
    };
    refuseRepeated('Варианты ответа', [drawn.answer, ...drawn.distractors.map(({ text }) => text)]);
    return drawn;
  };
}

function compileGap(
  reader: TemplateReader,
  gap: TemplateGap,
  at: string,
): ((values: Values) => DrawnGap) | null {
  const { gapId, input } = gap;
  const line = (field: string, source: string, missing: string) =>
    reader.filledText(`${at}.${field}`, source, missing, GAP_TEXT_CHARACTERS);
  switch (input) {
    case 'number': {
      const number = reader.number(`${at}.answer`, gap.answer);
      const { tolerance } = gap;
      return number && ((values) => ({ gapId, input, answer: number(values), tolerance }));
    }
    case 'line': {
      if (gap.accepted.length === 0) reader.note(`${at}.accepted`, 'Введите слово');
      const accepted = whole(gap.accepted.map((text) => line('accepted', text, 'Введите слово')));
      if (!accepted) return null;
      return (values) => {
        const texts = accepted.map((text) => text.write(values));
        // Alternatives that become equal accept the same answer.
        const repeated = markRepeated(texts.map((text) => ({ text, tolerance: 0 })));
        const distinct = texts.filter((_, index) => !repeated[index]);
        return { gapId, input, accepted: distinct };
      };
    }
    case 'choice': {
      const right = line('right', gap.right, 'Введите верный вариант');
      if (gap.wrong.length === 0) reader.note(`${at}.wrong`, 'Нужен хотя бы один неверный вариант');
      if (gap.wrong.length >= PARTS_PER_QUESTION)
        reader.note(`${at}.wrong`, `Вариантов не больше ${PARTS_PER_QUESTION}`);
      const wrong = whole(gap.wrong.map((text) => line('wrong', text, 'Есть пустой вариант')));
      if (!right || !wrong) return null;
      return (values) => {
        const texts = [right, ...wrong].map((text) => text.write(values));
        refuseRepeated(`Варианты пропуска ${gapId}`, texts);
        const [first = '', ...others] = texts;
        return { gapId, input, right: first, wrong: others };
      };
    }
  }
}

function compileGaps(
  reader: TemplateReader,
  { gaps }: Key<'gaps'>,
  source: string,
): CompiledKey | null {
  const places = gapIdsIn(source);
  const ids = gaps.map(({ gapId }) => gapId);
  if (gaps.length === 0) reader.note('gaps', 'Добавьте в текст хотя бы один пропуск');
  const twice = places.find((gapId, index) => places.indexOf(gapId) < index);
  if (twice !== undefined) reader.note('text', `Пропуск [[${twice}]] стоит в тексте дважды`);
  const unknown = places.find((gapId) => !ids.includes(gapId));
  if (unknown !== undefined && gaps.length > 0)
    reader.note('text', `В тексте есть [[${unknown}]], а такого пропуска нет`);
  const compiled = whole(
    gaps.map((gap, index) => {
      const at = `gaps.${index}`;
      if (!places.includes(gap.gapId))
        reader.note(
          `${at}.input`,
          `В тексте нет [[${gap.gapId}]]: впишите его на место пропуска или уберите пропуск`,
        );
      if (ids.indexOf(gap.gapId) < index)
        reader.note(`${at}.input`, `Пропуск ${gap.gapId} уже есть выше`);
      return compileGap(reader, gap, at);
    }),
  );
  if (!compiled) return null;
  return (values, text) => {
    const made = gapIdsIn(text).find((gapId, index) => gapId !== places[index]);
    if (made !== undefined)
      throw new TemplateError(`Число из текста становится номером пропуска: [[${made}]]`);
    return { kind: 'gaps', gaps: compiled.map((gap) => gap(values)) };
  };
}

function compileOrdering(
  reader: TemplateReader,
  { items, order }: Key<'ordering'>,
): CompiledKey | null {
  if (items.length < 2) reader.note('items', 'Нужны хотя бы два пункта');
  const compiled = whole(
    items.map((item, index) => {
      const at = `items.${index}`;
      const text = reader.filledText(`${at}.text`, item.text, 'Введите текст пункта');
      if (order === 'given') return text && { text, value: () => index };
      const value = reader.expression(`${at}.value`, item.value);
      return text && value && { text, value: value.evaluate };
    }),
  );
  if (!compiled) return null;
  const sign = order === 'descending' ? -1 : 1;
  return (values) => {
    const drawn = compiled
      .map(({ text, value }) => ({ text: text.write(values), value: value(values) * sign }))
      .sort((a, b) => a.value - b.value);
    const texts = drawn.map(({ text }) => text);
    refuseRepeated('Пункты', texts);
    const level = drawn.findIndex(({ value }, at) => isSame(value, drawn[at + 1]?.value ?? NaN));
    if (level >= 0)
      throw new TemplateError(
        `Пункты «${texts[level]}» и «${texts[level + 1]}» стоят на одном месте: их значения равны`,
      );
    return { kind: 'ordering', items: texts };
  };
}

/** The key of a template; null: the reader has noted errors. */
export function compileKey(
  reader: TemplateReader,
  { key, text }: TemplateBody,
): CompiledKey | null {
  switch (key.kind) {
    case 'open':
      return compileOpen(reader, key);
    case 'variant':
      return compileVariant(reader, key);
    case 'gaps':
      return compileGaps(reader, key, text);
    case 'ordering':
      return compileOrdering(reader, key);
  }
}
