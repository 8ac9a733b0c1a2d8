import { IconDownload } from '@tabler/icons-react';
import { QuietButton } from '#app/ui/QuietButton.tsx';

/** «Сохранить ответы в файл»: what the server does not have, for the teacher. */
export const SaveAnswersButton = ({ onSave }: { onSave: () => void }) => (
  <QuietButton tone="ink" icon={IconDownload} onClick={onSave}>
    Сохранить ответы в файл
  </QuietButton>
);
