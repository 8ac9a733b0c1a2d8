import type { ComponentType } from 'react';
import type { Kind, QuestionOf, StudentQuestionOf } from '#domain/kinds/rules.ts';
import type { PartProps } from '#app/questions/form/parts.ts';
import type { Selection } from '#app/questions/form/text-edit.ts';

export interface EditorPartProps<K extends Kind = Kind> extends PartProps<K> {
  /** Position of the caret in the question's text. */
  selection: () => Selection;
}

export interface KeyViewProps<K extends Kind = Kind> {
  question: QuestionOf<K>;
}

/** The teacher's view of a question of one kind in the editor. */
export interface KindAuthoring<K extends Kind> {
  /** The section of the question's form below its text. */
  Editor: ComponentType<EditorPartProps<K>>;
  /** The key to read. */
  KeyView: ComponentType<KeyViewProps<K>>;
  /** The question after an edit of its text. Absent: the text alone changes. */
  withText?(question: QuestionOf<K>, text: string): QuestionOf<K>;
  /** Whether the student's view contains something to answer with. Absent: always. */
  hasParts?(question: StudentQuestionOf<K>): boolean;
  /** Placeholders for empty texts of the preview. */
  withPlaceholders?(question: StudentQuestionOf<K>): StudentQuestionOf<K>;
}
