import { useId } from 'react';
import { FILE_BYTES } from '#contract/limits.ts';
import { FieldGroup } from '#app/ui/FieldFrame.tsx';
import { fileRulesWords } from '#app/ui/FileField.tsx';
import { FILE_GROUPS, hasGroup, otherTypes, withGroup } from './file-groups.ts';
import { FileTypesField } from './FileTypesField.tsx';
import { NumberInput } from './NumberInput.tsx';
import type { PartProps } from './parts.ts';
import classes from './QuestionForm.module.css';

const MB = 1024 * 1024;
const SIZE = { min: 0.1, max: FILE_BYTES / MB, digits: 1, empty: FILE_BYTES / MB };

/** Which files may be handed in, and how large. */
export function FilePart({ question, onChange }: PartProps<'file'>) {
  const id = useId();
  const { accept, maxBytes } = question;
  const others = otherTypes(accept);
  return (
    <>
      <FieldGroup
        label="Какие файлы подойдут"
        description="Не отмечено ничего: подойдёт любой файл."
      >
        <div className={classes.radios}>
          {FILE_GROUPS.map((group) => (
            <label key={group.name} className={classes.radio}>
              <input
                type="checkbox"
                checked={hasGroup(accept, group)}
                onChange={(event) =>
                  onChange(
                    { ...question, accept: withGroup(accept, group, event.currentTarget.checked) },
                    `accept:${group.name}`,
                  )
                }
              />
              {group.name}
            </label>
          ))}
          {others.map((type) => (
            <label key={type} className={classes.radio}>
              <input
                type="checkbox"
                checked
                onChange={() =>
                  onChange(
                    { ...question, accept: accept.filter((one) => one !== type) },
                    `accept:${type}`,
                  )
                }
              />
              {type}
            </label>
          ))}
        </div>
      </FieldGroup>
      <FileTypesField
        accept={accept}
        onChange={(types) => onChange({ ...question, accept: types }, 'accept')}
      />
      <div>
        <label htmlFor={id} className={classes.fieldLabel}>
          Размер файла, не больше
        </label>
        <NumberInput
          id={id}
          value={Math.round((maxBytes / MB) * 10) / 10}
          bounds={SIZE}
          unit="МБ"
          describedBy={`${id}-rules`}
          onChange={(size) => onChange({ ...question, maxBytes: Math.round(size * MB) }, 'size')}
        />
      </div>
      <p id={`${id}-rules`} className={classes.quiet}>
        Ученик прочитает: «{fileRulesWords(accept, maxBytes)}»
      </p>
    </>
  );
}
