import type { Question } from '#contract/questions.ts';

export interface BankPickerProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** Test into which questions go: what it has already is left out. */
  readonly testId: string;
  /** Copies with ids of their own. */
  readonly onPick: (questions: readonly Question[]) => void;
}

/** A sheet to find questions of the bank and add them to a test. */
export function BankPicker(_props: BankPickerProps) {
  return null;
}
