import { Stack } from '@mantine/core';
import { useContext } from 'react';
import { plainText } from '#domain/format-plain-text.ts';
import { showTex } from '#domain/format-tex.ts';
import { letterOf } from '#domain/format.ts';
import { FieldGroup } from '#app/ui/forms/FieldGroup.tsx';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import { ContentLanguage } from '#app/ui/rich-text/content-language.ts';
import type { KeyFieldsProps } from '#app/questions/key-form.ts';
import { leftField } from './typed-key.ts';

export function KeyFields({ of, question }: KeyFieldsProps<'compliance'>) {
  const lang = useContext(ContentLanguage);
  return (
    <FieldGroup label="Верные пары">
      <Stack gap="sm">
        {question.left.map(({ leftId, text }, place) => (
          <FormField
            key={leftId}
            of={of}
            name={`pairs.${leftField(place)}`}
            component={SelectField}
            label={plainText(text, showTex)}
            lang={lang}
            native
            choices={[
              { value: '', label: 'Пары нет' },
              ...question.right.map((right, index) => ({
                value: right.rightId,
                label: `${letterOf(index)}. ${plainText(right.text, showTex)}`,
              })),
            ]}
          />
        ))}
      </Stack>
    </FieldGroup>
  );
}
