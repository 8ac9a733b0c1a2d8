import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { logProblem } from './log.ts';

/** «Сохранить ответы в файл»: the answers that the server does not have, for the teacher. */
export function SaveAnswersButton({ onSave }: { onSave: () => Promise<void> }) {
  const [hasFailed, setFailed] = useState(false);
  const save = () => {
    setFailed(false);
    onSave().catch((cause: unknown) => {
      logProblem('Ответы не сохранить в файл', { cause });
      setFailed(true);
    });
  };
  return (
    <div>
      <QuietButton tone="ink" icon={IconDownload} onClick={save}>
        Сохранить ответы в файл
      </QuietButton>
      <div role="alert">
        {hasFailed && (
          <FieldError>
            Файл не получился: устройство не отвечает. Не закрывайте страницу и повторите через
            минуту.
          </FieldError>
        )}
      </div>
    </div>
  );
}
