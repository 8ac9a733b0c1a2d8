import type { FC } from 'react';
import type { Selection } from '#app/questions/form/text-edit.ts';
import type { TemplateFields } from '#app/features/generation/template-fields.ts';

export interface TemplateKeyFieldsProps extends TemplateFields {
  /** Returns the caret's position in the text. */
  selection: () => Selection;
}

/** The form of one kind of template key. */
export interface TemplateKeyFields {
  readonly label: string;
  readonly Fields: FC<TemplateKeyFieldsProps>;
  /** The field beside the decimals. */
  readonly Precision?: FC<Pick<TemplateFields, 'of'>>;
  /** The fields below the decimals. */
  readonly Below?: FC<Pick<TemplateFields, 'of'>>;
}
