import type { Question } from '#contract/questions.ts';
import type { ConversionContext } from '#interchange/html/to-markdown.ts';
import type { XmlElement } from '#interchange/xml.ts';
import type { ItemFeedback } from './body.ts';
import { declared, processing, type Declared, type Processing } from './scoring.ts';

export interface InteractionFacts {
  readonly item: XmlElement;
  readonly interaction: XmlElement;
  readonly carried: ConversionContext;
  readonly newId: () => string;
  readonly feedback: ItemFeedback;
  /** Identifiers of feedback that is assigned to an answer already. */
  readonly used: Set<string>;
}

type Of<Q> = Q extends Question
  ? Omit<
      Q,
      | 'questionId'
      | 'text'
      | 'explanation'
      | 'title'
      | 'topic'
      | 'difficulty'
      | 'tags'
      | 'origin'
      | 'variantOf'
    >
  : never;
/** A question without the parts outside its interaction. */
export type Body = Of<Question>;
export type Answered = Body | { readonly reason: string };

/** Whether an attribute is «true». */
export const isTrue = (node: XmlElement, name: string) => node.attributes.get(name) === 'true';
/** Equal points within rounding. */
export const near = (a: number, b: number) => Math.abs(a - b) < 0.002 * Math.max(1, Math.abs(b));

/** The item's declarations and processing for an interaction. */
export function rules({ item, interaction, carried }: InteractionFacts): {
  given: Declared;
  rule: Processing;
} {
  const identifier = interaction.attributes.get('responseIdentifier') ?? 'RESPONSE';
  const rule = processing(item, identifier);
  if (rule.isStrange) carried.loss('Правила проверки прочитаны не все: проверьте ключ');
  const given = declared(item, identifier);
  if (rule.hasPenalty) carried.loss('Ответы, которые снимали баллы, не переносятся');
  if ((given.lowerBound ?? 0) < 0) carried.loss('Балл за вопрос здесь не бывает отрицательным');
  return { given, rule };
}
