import { IconDownload } from '@tabler/icons-react';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { TEMPLATE } from './outcome.ts';
import { saveCsv } from './save-csv.ts';

/** Downloads a template file to fill in. */
export function TemplateButton() {
  return (
    <QuietButton icon={IconDownload} onClick={() => saveCsv(TEMPLATE, 'Пользователи, образец.csv')}>
      Скачать образец
    </QuietButton>
  );
}
