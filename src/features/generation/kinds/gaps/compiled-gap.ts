import { GAP_TEXT_CHARACTERS, PARTS_PER_QUESTION } from '#contract/limits.ts';
import type { Gap } from '#contract/questions.ts';
import type { TemplateGap } from '#contract/templates.ts';
import { markRepeated } from '#domain/normalise.ts';
import {
  acceptedText,
  refuseRepeated,
  whole,
} from '#app/features/generation/kinds/compiled-parts.ts';
import type { Values } from '#app/features/generation/template/expression.ts';
import type { TemplateReader } from '#app/features/generation/template/reader.ts';

/** A gap of one draw. */
interface DrawnGap {
  /** Its right answers and options, as displayed. */
  readonly shown: readonly string[];
  readonly make: (newId: () => string) => Gap;
}

type CompiledGap = (values: Values) => DrawnGap;
type GapOf<I extends TemplateGap['input']> = Extract<TemplateGap, { input: I }>;

const base = ({ gapId }: TemplateGap) => ({ gapId, weight: 1 });

function compileNumber(
  reader: TemplateReader,
  gap: GapOf<'number'>,
  at: string,
): CompiledGap | null {
  const number = reader.number(`${at}.answer`, gap.answer);
  if (!number) return null;
  const { input, tolerance } = gap;
  return (values) => {
    const answer = number(values);
    const accepted = [acceptedText(answer)];
    return { shown: [answer], make: () => ({ ...base(gap), input, accepted, tolerance }) };
  };
}

function compileLine(reader: TemplateReader, gap: GapOf<'line'>, at: string): CompiledGap | null {
  const field = `${at}.accepted`;
  const missing = 'Введите слово';
  if (gap.accepted.length === 0) reader.note(field, missing);
  const accepted = whole(
    gap.accepted.map((text) => reader.filledText(field, text, missing, GAP_TEXT_CHARACTERS)),
  );
  if (!accepted) return null;
  const { input } = gap;
  return (values) => {
    const texts = accepted.map((text) => text.write(values));
    // Alternatives that become equal accept the same answer.
    const repeated = markRepeated(texts.map((text) => ({ text, tolerance: 0 })));
    const shown = texts.filter((_, index) => !repeated[index]);
    const make = () => ({ ...base(gap), input, accepted: shown.map(acceptedText), tolerance: 0 });
    return { shown, make };
  };
}

function compileChoice(
  reader: TemplateReader,
  gap: GapOf<'choice'>,
  at: string,
): CompiledGap | null {
  const option = (field: string, source: string, missing: string) =>
    reader.filledText(`${at}.${field}`, source, missing, GAP_TEXT_CHARACTERS);
  const right = option('right', gap.right, 'Введите верный вариант');
  if (gap.wrong.length === 0) reader.note(`${at}.wrong`, 'Нужен хотя бы один неверный вариант');
  if (gap.wrong.length >= PARTS_PER_QUESTION)
    reader.note(`${at}.wrong`, `Вариантов не больше ${PARTS_PER_QUESTION}`);
  const wrong = whole(gap.wrong.map((text) => option('wrong', text, 'Есть пустой вариант')));
  if (!right || !wrong) return null;
  const { input } = gap;
  return (values) => {
    const shown = [right, ...wrong].map((text) => text.write(values));
    refuseRepeated(`Варианты пропуска ${gap.gapId}`, shown);
    const optionsOf = (newId: () => string) =>
      shown.map((text, index) => ({ optionId: newId(), text, isRight: index === 0 }));
    return { shown, make: (newId) => ({ ...base(gap), input, options: optionsOf(newId) }) };
  };
}

/**
 * Compiles a gap for drawing; null: the reader has noted errors.
 * @param at the gap's field in the form
 */
export function compileGap(
  reader: TemplateReader,
  gap: TemplateGap,
  at: string,
): CompiledGap | null {
  switch (gap.input) {
    case 'number':
      return compileNumber(reader, gap, at);
    case 'line':
      return compileLine(reader, gap, at);
    case 'choice':
      return compileChoice(reader, gap, at);
  }
}
