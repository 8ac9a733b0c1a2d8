import { IconDownload } from '@tabler/icons-react';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { TEMPLATE } from './outcome.ts';
import { saveCsv } from './save-csv.ts';

/** A file to fill in instead of guessing what is expected. */
export function TemplateButton() {
  return (
    <QuietButton icon={IconDownload} onClick={() => saveCsv(TEMPLATE, 'Пользователи, образец.csv')}>
      Скачать образец
    </QuietButton>
  );
}
