import type { Body } from '#interchange/qti/interaction.ts';
import type { XmlElement } from '#interchange/xml.ts';
import type { Fields } from './fields.ts';
import type { FeedbackPlan } from './feedback.ts';
import type { TextContext } from './material.ts';
import type { Response } from './presentation.ts';
import type { ResponseProcessing } from './processing.ts';

/** An item with what its parts are read by. */
export interface AskedItem {
  readonly item: XmlElement;
  readonly fields: Fields;
  readonly kind: string;
  readonly responses: readonly Response[];
  readonly processing: ResponseProcessing;
  readonly feedback: ReadonlyMap<string, string>;
  readonly context: TextContext;
  /** Whether the test shuffles its options, where the item does not say. */
  readonly shuffle: boolean;
  readonly newId: () => string;
}

/** What the answer to an item is, and the points that its best answer scores by the file's own rules. */
export interface ReadAnswer {
  readonly body: Body;
  readonly best: number;
  readonly plan: FeedbackPlan;
  /** Parts of the presentation that are no part of the question's text. */
  readonly apart: ReadonlySet<XmlElement>;
  /** Instead of the item's own: with marks where its text has gaps. */
  readonly presentation?: XmlElement;
  /** Marks of gaps by the fields in whose places they stand. */
  readonly marks?: ReadonlyMap<XmlElement, string>;
}
export type InteractionResult = ReadAnswer | { readonly reason: string };

/** The loss where an empty answer scores. */
export const UNANSWERED = 'За вопрос без ответа давались баллы, здесь – нет';

/** Equal scores within the rounding of percents (14.29 for a seventh). */
export const isClose = (a: number, b: number): boolean => Math.abs(a - b) <= 0.002;
