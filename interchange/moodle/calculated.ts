import { element, elements, textOf, type XmlElement, type XmlNode } from '#interchange/xml.ts';
import { evaluateFormula } from './formula.ts';
import { readText } from './texts.ts';

/**
 * Moodle's calculated questions. Each row of numbers in the file becomes a fixed question, and all rows together are
 * alternatives of which an attempt gets one. They are the same questions that Moodle showed, with pictures, feedback
 * and options. A template would draw other numbers and supports neither pictures nor feedback.
 */

/** Rows that become questions; Moodle makes up to a hundred. */
const MAX_ROWS = 10;

type Row = ReadonlyMap<string, string>;

export type DatasetRows =
  | { readonly questions: readonly XmlElement[]; readonly losses: readonly string[] }
  | { readonly reason: string };

const TEMPLATE = 'Сделайте шаблон на экране «Подбор»';

/** A number as Moodle writes it: with a number of decimals or of significant digits. */
function formatNumber(value: number, length?: number, format?: string): string {
  const size = Math.min(15, length ?? 14);
  const isFixed = length !== undefined && format !== '2';
  const text = isFixed ? value.toFixed(size) : String(Number(value.toPrecision(Math.max(1, size))));
  return text.replace('.', ',');
}

/** The fewest digits that state the number within a thousandth of its tolerance. */
function shortestWithin(value: number, tolerance: number): string {
  for (let digits = 1; digits < 15; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.abs(short - value) <= tolerance / 1000) return String(short);
  }
  return String(Number(value.toPrecision(15)));
}

/** The numbers of the file, row by row: as many rows as its shortest list has. */
function readRows(question: XmlElement): readonly Row[] {
  const definitions = elements(
    element(question, 'dataset_definitions') ?? question,
    'dataset_definition',
  );
  const lists = definitions.map((definition) => ({
    name: readText(element(definition, 'name')),
    values: new Map(
      elements(element(definition, 'dataset_items') ?? definition, 'dataset_item').map((item) => [
        textOf(element(item, 'number')).trim(),
        textOf(element(item, 'value')).trim(),
      ]),
    ),
  }));
  const [first] = lists;
  return [...(first?.values.keys() ?? [])].flatMap((number) => {
    const row = new Map(lists.map(({ name, values }) => [name, values.get(number) ?? '']));
    return [...row.values()].every((value) => value !== '' && Number.isFinite(Number(value)))
      ? [row]
      : [];
  });
}

/** A formula that has no value for a row of numbers. */
class FormulaProblem extends Error {
  override readonly name = 'FormulaProblem';
}

function evaluateWith(formula: string, row: Row): number {
  let filled = formula;
  for (const [name, value] of row) filled = filled.replaceAll(`{${name}}`, `(${value})`);
  const value = evaluateFormula(filled);
  if (value === null) throw new FormulaProblem(formula);
  return value;
}

/** Maximum number of formulas in one question: each is computed for every row. */
const MAX_FORMULAS = 200;

/** A formula inside a text: `{={a}*2}`. */
const IN_TEXT = /\{=([^{}]*(?:\{[^{}]+\}[^{}]*)*)\}/g;

function fillText(text: string, row: Row, length?: number, format?: string): string {
  let filled = text.replaceAll(IN_TEXT, (_, formula: string) =>
    formatNumber(evaluateWith(formula, row), length, format),
  );
  for (const [name, value] of row)
    filled = filled.replaceAll(`{${name}}`, () => value.replace('.', ','));
  return filled;
}

const withChildren = (node: XmlElement, change: (child: XmlElement) => XmlNode): XmlElement => ({
  ...node,
  children: node.children.map((child) => (typeof child === 'string' ? child : change(child))),
});

const withText = (node: XmlElement, change: (text: string) => string): XmlElement =>
  withChildren(node, (child) =>
    child.name === 'text' ? { ...child, children: [change(textOf(child))] } : child,
  );

const numberIn = (answer: XmlElement, name: string) =>
  Number(textOf(element(answer, name)).trim().replace(',', '.')) || 0;

/** Half the width of the interval that Moodle accepts: absolute, relative, or as a factor. */
function toleranceOf(answer: XmlElement, value: number): number {
  const tolerance = Math.abs(numberIn(answer, 'tolerance'));
  const type = textOf(element(answer, 'tolerancetype')).trim();
  if (type === '2') return tolerance;
  return Math.abs(value) * (type === '3' ? tolerance / (1 + tolerance) : tolerance);
}

/** An answer of a row: a number with its tolerance, or an option with numbers in its text. */
function fillAnswer(answer: XmlElement, row: Row, isChoice: boolean): XmlElement {
  const length = numberIn(answer, 'correctanswerlength');
  const format = textOf(element(answer, 'correctanswerformat')).trim();
  const inText = (text: string) => fillText(text, row, length, format);
  const withFeedback = withChildren(answer, (child) =>
    child.name === 'feedback' ? withText(child, inText) : child,
  );
  if (isChoice) return withText(withFeedback, inText);
  const formula = readText(answer);
  if (formula === '*') return withFeedback;
  const value = evaluateWith(formula, row);
  const tolerance = toleranceOf(answer, value);
  return withChildren(
    withText(withFeedback, () => shortestWithin(value, tolerance)),
    (child) =>
      child.name === 'tolerance'
        ? { ...child, children: [String(Number(tolerance.toPrecision(6)))] }
        : child,
  );
}

function fillQuestion(question: XmlElement, row: Row): XmlElement {
  const isChoice = question.attributes.get('type') === 'calculatedmulti';
  const filled = withChildren(question, (child) => {
    if (child.name === 'answer') return fillAnswer(child, row, isChoice);
    return /^(?:questiontext|generalfeedback|(?:correct|partiallycorrect|incorrect)feedback)$/.test(
      child.name,
    )
      ? withText(child, (text) => fillText(text, row))
      : child;
  });
  const type = isChoice ? 'multichoice' : 'numerical';
  return { ...filled, attributes: new Map([...question.attributes, ['type', type]]) };
}

/** The questions that a calculated one gives with the numbers of its file. */
export function fillRows(question: XmlElement): DatasetRows {
  const rows = readRows(question);
  if (rows.length === 0)
    return { reason: `Вычисляемый вопрос: наборов чисел к нему в файле нет. ${TEMPLATE}` };
  if (textOf(question).split('{=').length - 1 > MAX_FORMULAS)
    return { reason: `Вычисляемый вопрос: в нём больше ${MAX_FORMULAS} формул. ${TEMPLATE}` };
  const questions: XmlElement[] = [];
  let uncomputed = '';
  for (const row of rows.slice(0, MAX_ROWS)) {
    try {
      questions.push(fillQuestion(question, row));
    } catch (error) {
      if (!(error instanceof FormulaProblem)) throw error;
      uncomputed ||= error.message;
    }
  }
  const quoted = `«${uncomputed.replaceAll(/\s+/g, ' ').slice(0, 60)}»`;
  if (questions.length === 0)
    return { reason: `Вычисляемый вопрос: формула ${quoted} здесь не считается. ${TEMPLATE}` };
  const isFactor = elements(question, 'answer').some(
    (answer) =>
      textOf(element(answer, 'tolerancetype')).trim() === '3' && numberIn(answer, 'tolerance') > 0,
  );
  return {
    questions,
    losses: [
      questions.length === 1
        ? 'Вычисляемый вопрос: числа в нём теперь постоянные'
        : `Вычисляемый вопрос: это один из ${questions.length} наборов чисел файла; ученик получит один из них`,
      ...(rows.length > MAX_ROWS
        ? [`Наборов чисел в файле ${rows.length}, взяты первые ${MAX_ROWS}`]
        : []),
      ...(uncomputed === ''
        ? []
        : [`Наборы, для которых формула ${quoted} не считается, пропущены`]),
      ...(isFactor
        ? ['Границы ответа были во сколько-то раз, здесь – на столько же в обе стороны']
        : []),
    ],
  };
}
