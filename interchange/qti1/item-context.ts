import type { Body } from '#interchange/qti/interaction.ts';
import type { XmlElement } from '#interchange/xml.ts';
import type { Fields } from './fields.ts';
import type { FeedbackPlan } from './feedback.ts';
import type { TextContext } from './material.ts';
import type { Response } from './presentation.ts';
import type { ResponseProcessing } from './processing.ts';

/** An item with the data for reading its parts. */
export interface ItemContext {
  readonly item: XmlElement;
  readonly fields: Fields;
  readonly kind: string;
  readonly responses: readonly Response[];
  readonly processing: ResponseProcessing;
  readonly feedback: ReadonlyMap<string, string>;
  readonly context: TextContext;
  /** Whether the test shuffles its options if the item does not say. */
  readonly shuffle: boolean;
  readonly newId: () => string;
}

/** The key of an item, and the points of its best answer by the file's own rules. */
export interface ReadAnswer {
  readonly body: Body;
  readonly best: number;
  readonly plan: FeedbackPlan;
  /** Parts of the presentation that do not belong to the question's text. */
  readonly apart: ReadonlySet<XmlElement>;
  /** Replaces the item's own: with marks at the gaps of its text. */
  readonly presentation?: XmlElement;
  /** Marks of gaps, by the fields that they replace. */
  readonly marks?: ReadonlyMap<XmlElement, string>;
}
export type InteractionResult = ReadAnswer | { readonly reason: string };

/** The loss if an empty answer scores. */
export const UNANSWERED = 'За вопрос без ответа давались баллы, здесь – нет';

/** Equal scores within the rounding of percents (14.29 for a seventh). */
export const isClose = (a: number, b: number): boolean => Math.abs(a - b) <= 0.002;
