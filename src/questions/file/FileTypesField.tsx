import { useState } from 'react';
import { FILE_TYPES_PER_QUESTION } from '#contract/limits.ts';
import { writtenTypes } from '#domain/written-types.ts';
import { Announcer } from '#app/ui/Announcer.tsx';
import { LimitedTextField } from '#app/ui/forms/LimitedField.tsx';

export interface FileTypesFieldProps {
  readonly accept: readonly string[];
  readonly onChange: (accept: string[]) => void;
}

/** File types without a checkbox, as typed: «py, .ggb». */
export function FileTypesField({ accept, onChange }: FileTypesFieldProps) {
  const [typed, setTyped] = useState('');
  const [error, setError] = useState('');
  const add = () => {
    const { accept: written, unknown } = writtenTypes(typed.split(/[\s,;]+/));
    if (unknown.length > 0)
      return setError(`«${unknown[0]}» не похоже на тип файла. Напишите расширение: .py`);
    const all = [...new Set([...accept, ...written])];
    if (all.length > FILE_TYPES_PER_QUESTION)
      return setError(`Не больше ${FILE_TYPES_PER_QUESTION} типов`);
    setError('');
    setTyped('');
    if (all.length > accept.length) onChange(all);
  };
  return (
    <>
      <LimitedTextField
        type="text"
        label="Другие типы"
        description="Расширения через запятую: .py, .pptx, .mp3"
        error={error}
        value={typed}
        maxLength={200}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={setTyped}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
          event.preventDefault();
          add();
        }}
        onBlur={add}
      />
      <Announcer words={error} />
    </>
  );
}
