import { Box, Group, Stack, Text, Textarea, type TextareaProps } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useState, type ChangeEvent } from 'react';
import { AI_SOURCE_CHARACTERS } from '#contract/limits.ts';
import { formatNumber } from '#domain/format.ts';
import { createModuleLoader } from '#app/lazy/module-loader.ts';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { PickButton } from '#app/ui/forms/PickButton.tsx';
import classes from './ai.module.css';

export interface SourceFieldProps extends Omit<TextareaProps, 'value' | 'onChange'> {
  readonly value: string;
  readonly onChange: (change: string | ChangeEvent<HTMLTextAreaElement>) => void;
}

type Reading =
  | { readonly kind: 'none' }
  | { readonly kind: 'reading' }
  | { readonly kind: 'read'; readonly name: string; readonly notes: readonly string[] }
  | { readonly kind: 'failed'; readonly message: string };

const ACCEPT = '.docx,.txt,.md,text/plain,text/markdown';

const loadReader = createModuleLoader(() => import('./read-document.ts'));

/** The source text: pasted, or read from a local document. */
export function SourceField({ value, onChange, ...field }: SourceFieldProps) {
  const [reading, setReading] = useState<Reading>({ kind: 'none' });

  async function pick(file: File): Promise<void> {
    setReading({ kind: 'reading' });
    try {
      const { readDocument } = await loadReader();
      const { text, notes } = await readDocument(file);
      onChange(text);
      setReading({ kind: 'read', name: file.name, notes });
    } catch (cause) {
      const isMessage = cause instanceof Error && /[а-яё]/i.test(cause.message);
      const message = isMessage ? cause.message : 'Файл не прочитать. Выберите другой';
      setReading({ kind: 'failed', message });
    }
  }

  return (
    <Stack gap="xs" className={classes.source}>
      <Textarea
        {...field}
        label="Текст, по которому составить"
        description="Параграф, конспект или статья. Можно оставить пустым"
        rows={4}
        value={value}
        onChange={onChange}
      />
      <Group gap="0.5rem 1rem">
        <PickButton
          size="sm"
          variant="default"
          loading={reading.kind === 'reading'}
          icon={IconFileText}
          label="Документ"
          accept={ACCEPT}
          onFiles={([file]) => void pick(file)}
        >
          Взять из документа
        </PickButton>
        <Text span size="sm" c="dimmed" className="tabular">
          {formatNumber(value.trim().length)} из {formatNumber(AI_SOURCE_CHARACTERS)} знаков
        </Text>
      </Group>
      <Box role="status" fz="sm" c="dimmed" className="tabular">
        {reading.kind === 'read' &&
          `«${reading.name}» прочитан. ${reading.notes.join('. ')}`.trim()}
      </Box>
      <div role="alert">
        {reading.kind === 'failed' && <FieldError>{reading.message}</FieldError>}
      </div>
    </Stack>
  );
}
