import type { Question } from '#contract/questions.ts';
import type { TestLifecycle } from '#contract/tests.ts';

/** Where what was typed is now. Words and signs are the trail's: device, way, server. */
export type DraftState =
  | { readonly kind: 'server'; readonly at: Date }
  | { readonly kind: 'sending' }
  /** Kept on this device; `isOffline`: there is no way to the server now, it goes by itself later. */
  | { readonly kind: 'device'; readonly at: Date; readonly isOffline: boolean }
  /** Neither kept nor sent: storage is closed and there is no network. */
  | { readonly kind: 'memory' }
  /** The server refused what was sent, and says why in Russian; it is kept on the device. */
  | { readonly kind: 'refused'; readonly message: string }
  /** The test is gone or no longer the caller's; what was typed is kept on the device. */
  | { readonly kind: 'gone' };

/** The same question was changed here and elsewhere; until it is decided, the editor shows `mine`. */
export interface DraftConflict {
  readonly questionId: string;
  /** Null: deleted here. */
  readonly mine: Question | null;
  /** Null: deleted elsewhere. */
  readonly theirs: Question | null;
  /** Name of whoever changed it elsewhere; null: unknown. */
  readonly by: string | null;
}

export interface ChangeOptions {
  /** Changes in a row with the same key are one step of undo, such as typing into one field. */
  readonly coalesce?: string;
}

/** The working copy of a test in the editors: every change is kept on the device and sent by itself. */
export interface Draft {
  readonly testId: string;
  readonly questions: readonly Question[];
  readonly lifecycle: TestLifecycle;
  /** The working copy differs from what attempts get. */
  readonly hasUnpublished: boolean;
  readonly state: DraftState;
  /**
   * Changes the working copy. `edit` gets the newest questions and gives the next ones; it may run again
   * over newer ones, so it finds questions by id. `label` names the step for undo: «Удаление вопроса».
   */
  change(
    label: string,
    edit: (questions: readonly Question[]) => readonly Question[],
    options?: ChangeOptions,
  ): void;
  /** Label of the step that undo takes back; null: none. */
  readonly undoLabel: string | null;
  readonly redoLabel: string | null;
  undo(): void;
  redo(): void;
  readonly conflicts: readonly DraftConflict[];
  /** `both` keeps theirs in its place and mine after it as a question of its own. */
  resolve(questionId: string, choice: 'mine' | 'theirs' | 'both'): void;
  /** Questions that came from elsewhere with the last merge, to be pointed out; null: none to tell. */
  readonly arrived: { readonly by: string | null; readonly questionIds: readonly string[] } | null;
  dismissArrived(): void;
  /** What happened to what was typed, in Russian: restored after a closed tab, a step that undo left alone. */
  readonly notice: string | null;
  dismissNotice(): void;
  /** Sends what waits now. Resolves when all is on the server; throws `ApiFailure`. */
  flush(): Promise<void>;
  /** Flushes, then publishes a changed working copy of a published test. Throws `ApiFailure`. */
  publish(): Promise<void>;
  /** Flushes, then goes back to what is published. Throws `ApiFailure`. */
  discard(): Promise<void>;
}
