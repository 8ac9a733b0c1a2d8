import { Group, Input, Text } from '@mantine/core';
import { useId } from 'react';
import { FILE_BYTES, MAX_FILES_PER_QUESTION } from '#contract/limits.ts';
import { ChoiceRow } from '#app/ui/forms/ChoiceRow.tsx';
import { FieldGroup } from '#app/ui/forms/FieldGroup.tsx';
import { fileRulesHint } from '#app/ui/forms/offered-files.ts';
import { FILE_GROUPS, hasGroup, otherTypes, withGroup } from './file-groups.ts';
import { FileTypesField } from './FileTypesField.tsx';
import { NumberInput } from '#app/questions/form/NumberInput.tsx';
import { TICK_LINE } from '#app/questions/form/PartHead.tsx';
import type { PartProps } from '#app/questions/form/parts.ts';

const MB = 1024 * 1024;
const COUNT = { min: 1, max: MAX_FILES_PER_QUESTION, digits: 0, empty: 1 };
const SIZE = { min: 0.1, max: FILE_BYTES / MB, digits: 1, empty: FILE_BYTES / MB };

/** The allowed types and sizes of files. */
export function FilePart({ question, onChange, problems }: PartProps<'file'>) {
  const id = useId();
  const { accept, maxBytes, maxFiles } = question;
  const others = otherTypes(accept);
  return (
    <>
      <FieldGroup
        label="Какие файлы подойдут"
        description="Не отмечено ничего: подойдёт любой файл."
        error={problems.join('. ')}
      >
        <Group gap="0 1.25rem" align="stretch">
          {FILE_GROUPS.map((group) => (
            <ChoiceRow
              key={group.name}
              {...TICK_LINE}
              type="checkbox"
              checked={hasGroup(accept, group)}
              onChange={(checked) =>
                onChange(
                  { ...question, accept: withGroup(accept, group, checked) },
                  `accept:${group.name}`,
                )
              }
            >
              {group.name}
            </ChoiceRow>
          ))}
          {others.map((type) => (
            <ChoiceRow
              key={type}
              {...TICK_LINE}
              type="checkbox"
              checked
              onChange={() =>
                onChange(
                  { ...question, accept: accept.filter((one) => one !== type) },
                  `accept:${type}`,
                )
              }
            >
              {type}
            </ChoiceRow>
          ))}
        </Group>
      </FieldGroup>
      <FileTypesField
        accept={accept}
        onChange={(types) => onChange({ ...question, accept: types }, 'accept')}
      />
      <div>
        <Input.Label htmlFor={id}>Размер файла, не больше</Input.Label>
        <NumberInput
          id={id}
          value={Math.round((maxBytes / MB) * 10) / 10}
          bounds={SIZE}
          unit="МБ"
          describedBy={`${id}-rules`}
          onChange={(size) => onChange({ ...question, maxBytes: Math.round(size * MB) }, 'size')}
        />
      </div>
      <div>
        <Input.Label htmlFor={`${id}-files`}>Сколько файлов можно приложить</Input.Label>
        <NumberInput
          id={`${id}-files`}
          value={maxFiles ?? 1}
          bounds={COUNT}
          describedBy={`${id}-rules`}
          onChange={(count) => onChange({ ...question, maxFiles: count }, 'maxFiles')}
        />
      </div>
      <Text id={`${id}-rules`} size="sm" c="dimmed">
        Ученик прочитает: «{fileRulesHint(accept, maxBytes, maxFiles)}»
      </Text>
    </>
  );
}
