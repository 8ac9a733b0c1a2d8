import {
  plainToMarkdown,
  xmlToMarkdown,
  type ConversionContext,
} from '#interchange/html/to-markdown.ts';
import {
  element,
  elements,
  everyElement,
  textOf,
  type XmlElement,
  type XmlNode,
} from '#interchange/xml.ts';
import { graphicOf } from './areas.ts';
import { wrongFeedback } from './scoring.ts';
import { isTranscript } from './transcript.ts';

const BLOCK = { inline: false };

export const isInteraction = (node: XmlElement): boolean => node.name.endsWith('Interaction');

const FEEDBACK = new Set(['feedbackInline', 'feedbackBlock']);
/** Elements invisible to the student, or without a counterpart here. */
const ASIDE: Readonly<Record<string, string | null>> = {
  stylesheet: null,
  templateBlock: 'Не перенесено: текст, который зависит от случайных чисел',
  templateInline: 'Не перенесено: текст, который зависит от случайных чисел',
  include: 'Не перенесено: часть текста из другого файла (xi:include)',
  infoControl: 'Не перенесено: подсказка (infoControl)',
  endAttemptInteraction: 'Не перенесено: кнопка завершения попытки и подсказка по ней до ответа',
};

/** Whether a block contains only the interaction. */
const holdsOnly = (block: XmlElement, inner: XmlElement): boolean =>
  textOf({ ...block, children: block.children.filter((child) => child !== inner) }).trim() === '' &&
  elements(block).length === 1;

/** Some programs write HTML into a text instead of elements; a question about HTML does so on purpose. */
const WRITTEN_TAG =
  /<\/?(?:p|br|div|span|b|i|u|em|strong|img|a|sub|sup|[uo]l|li|table|t[rdh])\b[^<>]*>/i;
const CODE = new Set(['code', 'pre']);

type Marks = ReadonlyMap<XmlElement, string>;

const NO_MARKS: Marks = new Map();

/** Code without changes, except the marks for its fields. */
function codeOf(node: XmlElement, marks: Marks): XmlElement {
  const children = node.children.map((child) => {
    if (typeof child === 'string') return child;
    const own = child.name === 'textEntryInteraction' ? '_____' : codeOf(child, marks);
    return marks.get(child) ?? own;
  });
  return { ...node, children };
}

/**
 * A body’s nodes for reading: the prompt replaces the interaction, hidden nodes are left out.
 * @param marks the mark of an element, by the element
 */
function shown(
  nodes: readonly XmlNode[],
  carried: ConversionContext,
  marks: Marks = NO_MARKS,
): XmlNode[] {
  return nodes.flatMap((node): XmlNode[] => {
    if (typeof node === 'string') {
      if (WRITTEN_TAG.test(node))
        carried.loss('Теги HTML записаны в файле как текст и видны ученику');
      return [node];
    }
    if (CODE.has(node.name)) return [codeOf(node, marks)];
    const mark = marks.get(node);
    if (mark !== undefined) return [mark];
    if (node.name === 'gapMatchInteraction' && marks.size > 0)
      return [
        {
          ...node,
          name: 'div',
          children: shown(
            node.children.filter((child) => typeof child === 'string' || !isWord(child)),
            carried,
            marks,
          ),
        },
      ];
    const aside = ASIDE[node.name];
    if (aside !== undefined) {
      if (aside !== null) carried.loss(aside);
      return [];
    }
    if (FEEDBACK.has(node.name)) return [];
    if (/(?:^|\s)qti-visually-hidden(?:\s|$)/.test(node.attributes.get('class') ?? '')) {
      carried.loss('Не перенесено: описание для программ чтения с экрана');
      return [];
    }
    if (isTranscript(node)) return [];
    if (node.name === 'rubricBlock') {
      if (/candidate/.test(node.attributes.get('view') ?? 'candidate'))
        return [{ ...node, name: 'div', children: shown(node.children, carried, marks) }];
      carried.loss('Критерии для проверяющего не переносятся');
      return [];
    }
    if (node.name === 'textEntryInteraction') {
      const prompt = element(node, 'prompt');
      return prompt ? [' ', ...shown(prompt.children, carried), ' _____'] : ['_____'];
    }
    if (isInteraction(node)) {
      const prompt = element(node, 'prompt');
      const graphic = node.name === 'hotspotInteraction' ? graphicOf(node) : undefined;
      if (graphic)
        return [
          ...(prompt
            ? [{ ...prompt, name: 'div', children: shown(prompt.children, carried) }]
            : []),
          { ...graphic, name: 'p', attributes: new Map(), children: [graphic] },
        ];
      return prompt ? [{ ...prompt, name: 'div', children: shown(prompt.children, carried) }] : [];
    }
    const entry = elements(node, 'textEntryInteraction')[0];
    if (entry && !marks.has(entry) && !element(entry, 'prompt') && holdsOnly(node, entry))
      return [];
    return [{ ...node, children: shown(node.children, carried, marks) }];
  });
}

/** Draggable texts for gaps are not part of the text. */
const isWord = ({ name }: XmlElement) => name === 'gapText' || name === 'gapImg';

/** The question’s text, with marks for its gaps. */
export function bodyText(
  body: XmlElement,
  carried: ConversionContext,
  marks: Marks = NO_MARKS,
): string {
  return xmlToMarkdown(shown(body.children, carried, marks), carried, BLOCK);
}

/** A choice’s text without its feedback. */
export const choiceText = (choice: XmlElement, carried: ConversionContext): string =>
  xmlToMarkdown(shown(choice.children, carried), carried, { inline: true });

/** Whether a text is visible until an answer hides it. */
const isHidden = (node: XmlElement) => node.attributes.get('showHide') === 'hide';

function reportHidden(feedback: readonly XmlElement[], carried: ConversionContext): void {
  if (feedback.some((node) => isHidden(node) && textOf(node).trim() !== ''))
    carried.loss('Текст, который скрывался после ответа, не перенесён');
}

/** A choice's feedback; empty when there is none. */
export function choiceFeedback(choice: XmlElement, carried: ConversionContext): string {
  const found = [...everyElement(choice)].filter(({ name }) => FEEDBACK.has(name));
  reportHidden(found, carried);
  return xmlToMarkdown(
    found.filter((node) => !isHidden(node)).flatMap(({ children }) => children),
    carried,
    BLOCK,
  );
}

export interface ItemFeedback {
  /** Feedback of answers, by the identifier that the processing sets. */
  readonly byIdentifier: ReadonlyMap<string, string>;
  /** Identifiers for wrong answers only. */
  readonly wrong: ReadonlySet<string>;
  /** Feedback of the whole question; empty when there is none. */
  readonly explanation: (used: ReadonlySet<string>) => string;
}

/** Feedback within the text. Feedback of a choice belongs to the choice. */
function* feedbackInText(node: XmlElement): Generator<XmlElement> {
  for (const child of elements(node)) {
    if (FEEDBACK.has(child.name)) yield child;
    else if (!child.name.endsWith('Choice')) yield* feedbackInText(child);
  }
}

/** Feedback texts of an item. */
export function itemFeedback(item: XmlElement, carried: ConversionContext): ItemFeedback {
  const body = element(item, 'itemBody');
  const inText = body ? [...feedbackInText(body)] : [];
  const feedback = [...elements(item, 'modalFeedback'), ...inText];
  reportHidden(feedback, carried);
  const texts: { identifier: string; text: string }[] = [];
  for (const node of feedback.filter((one) => !isHidden(one))) {
    const inner = element(node, 'contentBody') ?? node;
    const title = node.attributes.get('title')?.trim() ?? '';
    const said = xmlToMarkdown(shown(inner.children, carried), carried, BLOCK);
    const text = title === '' ? said : `${plainToMarkdown(title, BLOCK)}\n\n${said}`.trim();
    if (text !== '') texts.push({ identifier: node.attributes.get('identifier') ?? '', text });
  }
  const wrong = wrongFeedback(item);
  return {
    wrong,
    byIdentifier: new Map(texts.map(({ identifier, text }) => [identifier, text])),
    explanation: (used) => {
      const rest = texts.filter(({ identifier }) => !used.has(identifier));
      const remaining = rest.filter(
        ({ identifier }) => !wrong.has(identifier) && !/incorrect|wrong/i.test(identifier),
      );
      const words = new Set(remaining.map(({ text }) => text));
      if (remaining.length < rest.length) carried.loss('Отзывы на неверный ответ не переносятся');
      if (words.size > 1) carried.loss('Отзывы на разные ответы стали одним пояснением');
      return [...words].join('\n\n');
    },
  };
}
