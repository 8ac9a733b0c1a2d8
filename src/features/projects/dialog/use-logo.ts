import { setError, setValue, type FormStore } from '@modular-forms/react';
import { useRef, useState } from 'react';
import { logProblem } from '#app/lib/log.ts';
import { PictureRefusal } from '#app/lib/pictures/prepare-picture.ts';
import type { ProjectValues } from './form-values.ts';
import { prepareLogo } from './prepare-logo.ts';

export interface Logo {
  pick: (file: File) => void;
  /** A picked picture is being re-encoded: the form is not ready to submit. */
  isPreparing: boolean;
}

const UNKNOWN = 'Картинку не удалось открыть. Выберите другую.';

/** Sets a picked logo once prepared for the server, or reports why it cannot be used. */
export function useLogo(form: FormStore<ProjectValues>): Logo {
  const [isPreparing, setPreparing] = useState(false);
  const newest = useRef<File>(null);
  const pick = (file: File) => {
    newest.current = file;
    setPreparing(true);
    prepareLogo(file)
      .then(
        (logo) => {
          if (newest.current === file) setValue(form, 'logoPhoto', logo);
        },
        (cause: unknown) => {
          if (newest.current !== file) return;
          if (!(cause instanceof PictureRefusal)) logProblem('Логотип не открыть', { cause });
          const message = cause instanceof PictureRefusal ? cause.message : UNKNOWN;
          setError(form, 'logoPhoto', message, { shouldFocus: false });
        },
      )
      .finally(() => {
        if (newest.current === file) setPreparing(false);
      });
  };
  return { pick, isPreparing };
}
