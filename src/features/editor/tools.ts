import type { ComponentType } from 'react';
import type { Question } from '#contract/questions.ts';
import type { DraftEditor } from '#app/drafts/draft.ts';

interface OpenedTool {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Components injected by other features; the route provides them. */
export interface EditorTools {
  readonly BankPicker: ComponentType<
    OpenedTool & {
      readonly testId: string;
      /** Copies with new ids. */
      readonly onPick: (questions: readonly Question[]) => void;
    }
  >;
  readonly ImportModal: ComponentType<OpenedTool & { readonly draft: DraftEditor }>;
  readonly ExportModal: ComponentType<OpenedTool & { readonly draft: DraftEditor }>;
  readonly PaperModal: ComponentType<OpenedTool & { readonly draft: DraftEditor }>;
  readonly ImproveMenu: ComponentType<{
    readonly testId: string;
    readonly question: Question;
    /** Called with the chosen new version, which has the same id. */
    readonly onReplace: (question: Question) => void;
  }>;
}
