import { Textarea } from '@mantine/core';
import { useContext } from 'react';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { ContentLanguage } from '#app/ui/rich-text/content-language.ts';
import type { KeyFieldsProps } from '#app/questions/key-form.ts';
import { RightOptions } from '#app/questions/RightOptions.tsx';
import { gapField } from './typed-key.ts';

export function KeyFields({ of, question }: KeyFieldsProps<'gaps'>) {
  const lang = useContext(ContentLanguage);
  return question.gaps.map((gap) =>
    gap.input === 'choice' ? (
      <FormField
        key={gap.gapId}
        of={of}
        name={`gaps.${gapField(gap)}`}
        component={RightOptions}
        label={`Пропуск ${gap.gapId}: верные варианты`}
        options={gap.options}
      />
    ) : (
      <FormField
        key={gap.gapId}
        of={of}
        name={`gaps.${gapField(gap)}`}
        component={Textarea}
        lang={lang}
        label={`Пропуск ${gap.gapId}: принимаемые ответы, каждый с новой строки`}
        rows={2}
      />
    ),
  );
}
