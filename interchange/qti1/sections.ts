import { element, elements, everyElement, textOf, type XmlElement } from '#interchange/xml.ts';
import { numberField, readFields } from './fields.ts';

/** An item with its section's data about it. */
export interface SectionPlace {
  readonly item: XmlElement;
  /** The test, the bank and the sections around it, the outermost first. */
  readonly around: readonly XmlElement[];
  readonly topic: string | undefined;
  /** The item that contains the shared text (Canvas); empty: none. */
  readonly stimulus: string;
  readonly points: number | null;
  readonly losses: readonly string[];
}

/** A reference to a question or a group of them in an item bank (Canvas). */
export interface BankReference {
  readonly title: string;
  readonly bank: string;
  readonly line: number;
}

export interface InteropFile {
  readonly title: string | null;
  /** Identifiers of the item banks inside. */
  readonly banks: readonly string[];
  readonly places: readonly SectionPlace[];
  readonly references: readonly BankReference[];
}

interface Scope {
  readonly around: readonly XmlElement[];
  readonly topic: string | undefined;
  readonly stimulus: string;
  readonly isBank: boolean;
  readonly points: number | null;
  readonly losses: readonly string[];
}

const titleOf = (node: XmlElement): string => (node.attributes.get('title') ?? '').trim();

/** Names that exporters give to a section that is the whole test. */
const NO_TOPIC = /^(?:root.?section|main|section|group|группа|раздел|untitled)\b.{0,20}$/i;

interface Selection {
  readonly count: number | null;
  readonly points: number | null;
  readonly bank: string;
}

function selectionOf(section: XmlElement): Selection {
  const inside = elements(section, 'selection_ordering').flatMap((one) => [...everyElement(one)]);
  const textIn = (name: string) => textOf(inside.find((one) => one.name === name)).trim();
  const number = (name: string) => {
    const text = textIn(name);
    return text === '' || !Number.isFinite(Number(text)) ? null : Number(text);
  };
  return {
    count: number('selection_number'),
    points: number('points_per_item'),
    bank: textIn('sourcebank_ref'),
  };
}

/** Texts of a test or a section before its questions. */
function introLoss(node: XmlElement): readonly string[] {
  const hasText = ['presentation_material', 'rubric', 'objectives', 'reference'].some((name) =>
    elements(node, name).some((one) => textOf(one).trim() !== ''),
  );
  return hasText ? ['Вводный текст к группе вопросов не переносится'] : [];
}

/** The item that contains the text shared by a question or a section (Canvas); empty: none. */
const stimulusOf = (node: XmlElement): string =>
  node.attributes.get('parent_stimulus_item_ident') ??
  readFields(node).get('parent_stimulus_item_ident') ??
  '';

/** Reads a `questestinterop`: its items in order, from tests, sections and item banks. */
export function readInterop(root: XmlElement): InteropFile {
  const places: (SectionPlace & { isBank: boolean })[] = [];
  const references: BankReference[] = [];
  const banks: string[] = [];
  let title: string | null = null;

  const section = (node: XmlElement, scope: Scope) => {
    const selection = selectionOf(node);
    const own = titleOf(node);
    const items = elements(node, 'item').length;
    if (selection.bank !== '' && items === 0)
      references.push({ title: own, bank: selection.bank, line: node.line });
    const isDrawn = selection.count !== null && selection.count < items;
    const name = own === '' ? '' : ` «${own}»`;
    below(node, {
      ...scope,
      topic: own === '' || NO_TOPIC.test(own) || own === title ? scope.topic : own,
      stimulus: stimulusOf(node) || scope.stimulus,
      points: selection.points ?? scope.points,
      losses: [
        ...scope.losses,
        ...introLoss(node),
        ...(isDrawn
          ? [
              `Из группы${name} выбиралось вопросов: ${selection.count} из ${items}; здесь войдут все`,
            ]
          : []),
      ],
    });
  };
  const below = (node: XmlElement, outer: Scope): void => {
    const scope = { ...outer, around: [...outer.around, node] };
    for (const child of elements(node)) {
      if (child.name === 'item')
        places.push({ item: child, ...scope, stimulus: stimulusOf(child) || scope.stimulus });
      else if (child.name === 'bankentry_item')
        references.push({
          title: titleOf(child),
          bank: child.attributes.get('sourcebank_ref')?.trim() ?? '',
          line: child.line,
        });
      else if (child.name === 'section') section(child, scope);
      else if (child.name === 'assessment') {
        title ??= titleOf(child) || null;
        below(child, { ...scope, losses: [...scope.losses, ...introLoss(child)] });
      } else if (child.name === 'objectbank') {
        const fields = readFields(child);
        const name = fields.get('bank_title') || titleOf(child);
        banks.push(child.attributes.get('ident')?.trim() ?? '');
        below(child, { ...scope, topic: name || scope.topic, isBank: true });
      }
    }
  };
  const points = numberField(readFields(root), 'points_per_item');
  below(root, { around: [], topic: undefined, stimulus: '', isBank: false, points, losses: [] });
  // A single name over all questions adds nothing to the name of the test.
  const names = new Set(places.flatMap(({ topic, isBank }) => (isBank ? [] : [topic])));
  return {
    title,
    banks,
    references,
    places: places.map(({ isBank, topic, ...place }) => ({
      ...place,
      topic: isBank || names.size > 1 ? topic : undefined,
    })),
  };
}

/** The part of Canvas' `assessment_meta.xml` that concerns questions. */
export function readQuizMeta(root: XmlElement): {
  readonly title: string | null;
  readonly shuffle: boolean;
  readonly hasDescription: boolean;
} {
  const text = (name: string) => textOf(element(root, name)).trim();
  return {
    title: text('title') || null,
    shuffle: text('shuffle_answers') === 'true',
    hasDescription:
      text('description')
        .replaceAll(/<[^>]*>|&nbsp;/g, '')
        .trim() !== '',
  };
}
