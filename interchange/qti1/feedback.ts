import { elements, everyElement, type XmlElement } from '#interchange/xml.ts';
import { materialText, type TextContext } from './material.ts';
import type { ScoreOutcome } from './processing.ts';

const BLOCK = { inline: false };

/** Feedback texts of an item, by identifier, without empty ones. */
export function readFeedback(item: XmlElement, context: TextContext): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const node of elements(item, 'itemfeedback')) {
    const ident = node.attributes.get('ident')?.trim() ?? '';
    const hasHint = [...everyElement(node)].some(({ name }) => name === 'hint');
    const text = materialText([node], context, BLOCK);
    if (hasHint) context.loss('Подсказки между попытками не переносятся');
    if (text !== '') texts.set(ident, [texts.get(ident), text].filter(Boolean).join('\n\n'));
  }
  return texts;
}

/** Assigns feedback to answers and to the whole question, and reports the rest. */
export interface FeedbackPlan {
  /** The feedback of an answer beyond the feedback of every answer; empty when there is none. */
  readonly of: (identifiers: readonly string[]) => { readonly feedback?: string };
  /** The explanation: the feedback of every answer, and that of right answers which could not be assigned to one. */
  readonly explanation: () => string;
}

/**
 * @param outcomes of answers of every sort: right, wrong, part of the right ones
 * @param right outcome of the whole right answer; null: unknown
 */
export function planFeedback(
  texts: ReadonlyMap<string, string>,
  outcomes: readonly ScoreOutcome[],
  right: ScoreOutcome | null,
  loss: (line: string) => void,
): FeedbackPlan {
  const used = new Set<string>();
  const general = [...texts.keys()].filter(
    (ident) => outcomes.length > 0 && outcomes.every(({ shown }) => shown.includes(ident)),
  );
  const textOf = (identifiers: readonly string[]) =>
    [...new Set(identifiers.flatMap((ident) => texts.get(ident) ?? []))].join('\n\n');
  return {
    of: (identifiers) => {
      const own = [...new Set(identifiers)].filter(
        (ident) => texts.has(ident) && !general.includes(ident),
      );
      for (const ident of own) used.add(ident);
      const text = textOf(own);
      return text === '' ? {} : { feedback: text };
    },
    explanation: () => {
      const everyone = textOf([...general, 'solution', 'Solution']);
      const rest = [...texts.keys()].filter(
        (ident) => !used.has(ident) && !general.includes(ident) && !/^solution$/i.test(ident),
      );
      const shownSomewhere = new Set(outcomes.flatMap(({ shown }) => shown));
      const ofRight = rest.filter((ident) => right?.shown.includes(ident));
      const ofWrong = rest.filter((ident) => !ofRight.includes(ident) && shownSomewhere.has(ident));
      const praise = textOf(ofRight);
      const isSame = praise !== '' && praise === textOf(ofWrong);
      if (praise !== '' && !isSame) loss('Отзыв на верный ответ стал пояснением к вопросу');
      if (ofWrong.length > 0 && !isSame) loss('Отзывы на неверный ответ не переносятся');
      if (rest.some((ident) => !ofRight.includes(ident) && !ofWrong.includes(ident)))
        loss('Отзывы, которые в файле ни с каким ответом не связаны, не переносятся');
      return [...new Set([everyone, praise])].filter(Boolean).join('\n\n');
    },
  };
}
