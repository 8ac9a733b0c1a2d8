import { Button } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { AI_SOURCE_CHARACTERS } from '#contract/limits.ts';
import { formatNumber } from '#domain/format.ts';
import { FieldError } from '#app/ui/FieldError.tsx';
import { TextAreaField } from '#app/ui/TextAreaField.tsx';
import classes from './ai.module.css';

export interface SourceFieldProps {
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (text: string) => void;
}

type Reading =
  | { readonly kind: 'none' }
  | { readonly kind: 'reading' }
  | { readonly kind: 'read'; readonly name: string; readonly notes: readonly string[] }
  | { readonly kind: 'failed'; readonly message: string };

const ACCEPT = '.docx,.txt,.md,text/plain,text/markdown';

/** The text that questions are made from: pasted, or read from a document on this device. */
export function SourceField({ value, error, onChange }: SourceFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [reading, setReading] = useState<Reading>({ kind: 'none' });

  async function pick(file: File): Promise<void> {
    setReading({ kind: 'reading' });
    try {
      const { readDocument } = await import('./read-document.ts');
      const { text, notes } = await readDocument(file);
      onChange(text);
      setReading({ kind: 'read', name: file.name, notes });
    } catch (cause) {
      const isWords = cause instanceof Error && /[а-яё]/i.test(cause.message);
      const message = isWords ? cause.message : 'Файл не прочитать. Выберите другой';
      setReading({ kind: 'failed', message });
    }
  }

  return (
    <div className={classes.source}>
      <TextAreaField
        name="source"
        label="Текст, по которому составить"
        description="Параграф, конспект или статья. Можно оставить пустым"
        rows={4}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <div className={classes.document}>
        <Button
          size="sm"
          variant="default"
          loading={reading.kind === 'reading'}
          leftSection={<IconFileText size={20} stroke={1.75} aria-hidden />}
          onClick={() => input.current?.click()}
        >
          Взять из документа
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          accept={ACCEPT}
          aria-label="Документ"
          onChange={(event) => {
            const picked = event.currentTarget.files?.[0];
            // The same file may be picked once more.
            event.currentTarget.value = '';
            if (picked) void pick(picked);
          }}
        />
        <span className={classes.count}>
          {formatNumber(value.trim().length)} из {formatNumber(AI_SOURCE_CHARACTERS)} знаков
        </span>
      </div>
      <div role="status" className={classes.count}>
        {reading.kind === 'read' &&
          `«${reading.name}» прочитан. ${reading.notes.join('. ')}`.trim()}
      </div>
      <div role="alert">
        {reading.kind === 'failed' && <FieldError>{reading.message}</FieldError>}
      </div>
    </div>
  );
}
