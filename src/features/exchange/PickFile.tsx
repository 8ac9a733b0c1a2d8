import { Stack, Text } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import type { FormatId } from '#interchange/model.ts';
import { FileField } from '#app/ui/forms/FileField.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import { FORMAT_MESSAGES, READABLE_EXTENSIONS } from './format-messages.ts';

const FORMATS = Object.keys(FORMAT_MESSAGES) as FormatId[];

export function PickFile({
  onFile,
  onSample,
}: {
  onFile: (file: File) => void;
  onSample: () => void;
}) {
  return (
    <Stack>
      <FileField
        look="zone"
        label="Файл с вопросами"
        icon={IconFileImport}
        accept={READABLE_EXTENSIONS}
        onPick={onFile}
      >
        <Text size="sm" c="dimmed">
          Подойдут: Moodle XML, GIFT, Aiken, QTI 1.2, 2 или 3 (Canvas, Blackboard, TAO), таблица CSV
          или Excel, документ Word или текст с вопросами нумерованным списком. Сначала будет
          показано, что войдёт и что нет.
        </Text>
      </FileField>
      <QuietButton onClick={onSample}>Скачать образец таблицы</QuietButton>
    </Stack>
  );
}

const NOT_CHOSEN = 'notChosen';

/** Another format for the same file, if it was misdetected. */
export function FormatSelect({
  value,
  onChange,
}: {
  /** Null: the file could not be read. */
  value: FormatId | null;
  onChange: (format: FormatId) => void;
}) {
  const formats = FORMATS.map((format) => ({
    value: format,
    label: FORMAT_MESSAGES[format].label,
  }));
  return (
    <SelectField
      label={value === null ? 'Прочитать этот файл как' : 'Прочитано как'}
      native
      value={value ?? NOT_CHOSEN}
      choices={
        value === null ? [{ value: NOT_CHOSEN, label: 'Выберите формат' }, ...formats] : formats
      }
      onChange={(chosen) => {
        const format = FORMATS.find((one) => one === chosen);
        if (format !== undefined) onChange(format);
      }}
    />
  );
}
