import { ActionIcon, Flex } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useContext, type FC } from 'react';
import { PARTS_PER_QUESTION } from '#contract/limits.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { ContentLanguage } from '#app/ui/rich-text/content-language.ts';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { FormList } from '#app/ui/forms/FormList.tsx';
import { SignedField } from '#app/ui/forms/SignedField.tsx';
import { TextField } from '#app/ui/forms/TextField.tsx';
import type { KeyFieldsProps } from '#app/questions/key-form.ts';

/** A hidden field with the origin of an answer. */
const Origin: FC<{ value: string }> = () => null;

const NUMBER = { type: 'text', inputMode: 'decimal' } as const;

export function KeyFields({ of, question }: KeyFieldsProps<'open'>) {
  const lang = useContext(ContentLanguage);
  return (
    <>
      <FormList
        of={of}
        name="accepted"
        label="Принимаемые ответы"
        description="Регистр, лишние пробелы, ё и е, точка и запятая в числах не важны. Без ответов вопрос проверяют вручную."
        most={PARTS_PER_QUESTION}
        addLabel="Добавить ответ"
        createItem={() => ({ origin: '', text: '', share: '100' })}
      >
        {(index, onRemove) => (
          <Flex component="li" align="flex-start" gap="xs">
            <FormField of={of} name={`accepted.${index}.origin`} component={Origin} />
            <FormField
              of={of}
              name={`accepted.${index}.text`}
              component={question.input === 'number' ? SignedField : TextField}
              type="text"
              flex={1}
              miw={0}
              lang={lang}
              label={`Ответ ${index + 1}`}
            />
            <FormField
              of={of}
              name={`accepted.${index}.share`}
              {...NUMBER}
              w={88}
              label="Доля, %"
            />
            <ActionIcon aria-label={`Убрать ответ ${index + 1}`} mt={28} onClick={onRemove}>
              <Icon of={IconTrash} />
            </ActionIcon>
          </Flex>
        )}
      </FormList>
      <FormField of={of} name="tolerance" {...NUMBER} label="Допуск для чисел" />
    </>
  );
}
