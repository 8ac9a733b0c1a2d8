import type { Area } from '#contract/questions.ts';

/** A file as a student hands it in, from `server/demo/pictures`; `share` is what its grade deserves, 0 to 1. */
export interface HandIn {
  readonly file: string;
  /** The name on the student's device. */
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
  readonly share: number;
  readonly comment: string;
}

/** A text as a student writes it where a teacher grades; `share` is what its grade deserves, 0 to 1. */
export interface Sample {
  readonly text: string;
  readonly share: number;
  readonly comment: string;
}

interface Common {
  readonly points: number;
  /** Markdown as in `Question`. */
  readonly text: string;
  readonly explanation?: string;
  /** A text that questions of this test share; the same for each of them. */
  readonly passage?: string;
}

/** What is typed, and the wrong answers that students usually give. */
export interface DemoTextKey {
  readonly accepted: readonly { readonly text: string; readonly share: number }[];
  readonly tolerance: number;
  readonly mistakes: readonly string[];
}

interface Choice {
  readonly right: readonly string[];
  readonly distractors: readonly string[];
}

/** The first gap of a question is `[[1]]` in its text. */
export type DemoGap =
  | (DemoTextKey & { readonly input: 'line' | 'number' })
  | (Choice & { readonly input: 'choice' });

/** A question as authored: without ids, with the wrong answers that students usually give. */
export type DemoQuestion =
  | (Common &
      DemoTextKey & {
        readonly kind: 'open';
        readonly input: 'line' | 'number' | 'text';
        readonly samples: readonly Sample[];
      })
  | (Common &
      Choice & {
        readonly kind: 'variant';
        readonly multiple: boolean;
        readonly shuffle: boolean;
        readonly scoring: 'partial' | 'allOrNothing';
        /** Options in exactly this order; without it the right ones are mixed in. */
        readonly order?: readonly string[];
        /** Where options lie on the picture of the text, by their texts. */
        readonly areas?: Readonly<Record<string, Area>>;
      })
  | (Common & {
      readonly kind: 'compliance';
      /** A right text that occurs in several pairs lets all of them be used more than once. */
      readonly pairs: readonly (readonly [left: string, right: string])[];
      readonly extraRight: readonly string[];
    })
  | (Common & {
      readonly kind: 'ordering';
      /** In the right order. */
      readonly items: readonly string[];
    })
  | (Common & { readonly kind: 'gaps'; readonly gaps: readonly DemoGap[] })
  | (Common & {
      readonly kind: 'file';
      readonly maxBytes: number;
      readonly accept: readonly string[];
      readonly handIns: readonly HandIn[];
    });
