import type { Question } from '#contract/questions.ts';
import type { TestLifecycle } from '#contract/tests.ts';

/** Delivery state of the edits, with the trail's stages: device, sending, server. */
export type DraftState =
  | { readonly kind: 'server'; readonly at: Date }
  | { readonly kind: 'sending' }
  /** Stored on this device; `isOffline`: the server is unreachable, edits are sent automatically later. */
  | { readonly kind: 'device'; readonly at: Date; readonly isOffline: boolean }
  /** Neither stored nor sent: no storage and no network. */
  | { readonly kind: 'memory' }
  /** The server refused the save, with a Russian message; edits are stored on the device. */
  | { readonly kind: 'refused'; readonly message: string }
  /** The test was deleted or is no longer the caller's; edits are stored on the device. */
  | { readonly kind: 'gone' };

/** The same question was changed here and elsewhere; until resolved, the editor shows `mine`. */
export interface DraftConflict {
  readonly questionId: string;
  /** Null: deleted here. */
  readonly mine: Question | null;
  /** Null: deleted elsewhere. */
  readonly theirs: Question | null;
  /** Name of the author of the other change; null: unknown. */
  readonly by: string | null;
}

export interface ChangeOptions {
  /** Consecutive changes with the same key form one undo step, such as typing into one field. */
  readonly coalesce?: string;
}

/** The working copy of a test in the editors: every change is stored on the device and sent automatically. */
export interface DraftEditor {
  readonly testId: string;
  readonly questions: readonly Question[];
  readonly lifecycle: TestLifecycle;
  /** The working copy differs from the published version. */
  readonly hasUnpublished: boolean;
  readonly state: DraftState;
  /**
   * Changes the working copy. `edit` maps the current questions to the next ones; it may run again on newer
   * ones, so it finds questions by id. `label` names the undo step: «Удаление вопроса».
   */
  change(
    label: string,
    edit: (questions: readonly Question[]) => readonly Question[],
    options?: ChangeOptions,
  ): void;
  /** Label of the step that undo reverts; null: none. */
  readonly undoLabel: string | null;
  readonly redoLabel: string | null;
  undo(): void;
  redo(): void;
  readonly conflicts: readonly DraftConflict[];
  /** `both`: theirs stays in place, and mine is added after it as a new question. */
  resolve(questionId: string, choice: 'mine' | 'theirs' | 'both'): void;
  /** Questions that arrived with the last merge; null: none. */
  readonly arrived: { readonly by: string | null; readonly questionIds: readonly string[] } | null;
  dismissArrived(): void;
  /** Russian notice: edits restored after a closed tab, or a step that undo skipped. */
  readonly notice: string | null;
  dismissNotice(): void;
  /** Sends unsent edits now. Resolves when all are on the server; throws `ApiFailure`. */
  flush(): Promise<void>;
  /** Flushes, then publishes a changed working copy of a published test. Throws `ApiFailure`. */
  publish(): Promise<void>;
  /** Flushes, then reverts to the published version. Throws `ApiFailure`. */
  discard(): Promise<void>;
}
