import type { FC } from 'react';
import type { Kind, QuestionOf } from '#domain/kinds/rules.ts';
import type { useAppForm } from '#app/lib/use-app-form.ts';
import type { Correction, TypedKey } from './typed-key.ts';

/** The form of a key correction. */
export type KeyForm = ReturnType<typeof useAppForm<TypedKey, Correction>>;

export interface KeyFieldsProps<K extends Kind = Kind> {
  of: KeyForm;
  question: QuestionOf<K>;
}

/** The fields of the key of one kind. */
export type KeyFieldsOf<K extends Kind> = FC<KeyFieldsProps<K>>;
