import { Stack } from '@mantine/core';
import { SwitchField } from '#app/ui/forms/SwitchField.tsx';
import type { Transcribed } from '#app/ui/taking/Transcript.tsx';
import { RichTextField } from './RichTextField.tsx';

const LABELS = {
  question: { group: 'Запись в вопросе', text: 'Текст записи' },
  passage: { group: 'Запись в общем тексте', text: 'Текст записи из общего текста' },
};

/** The transcript of a recording, and whether students may read it. */
export function TranscriptFields({
  of,
  value: { transcript = '', transcriptShown = false },
  onChange,
}: {
  of: keyof typeof LABELS;
  value: Transcribed;
  /** `field` names the edited one. */
  onChange: (value: Transcribed, field: 'transcript' | 'transcriptShown') => void;
}) {
  return (
    <Stack role="group" aria-label={LABELS[of].group} gap="xs">
      <RichTextField
        label={LABELS[of].text}
        low
        description="Что звучит в записи: для тех, кто её не слышит."
        value={transcript}
        error=""
        onChange={(text) => onChange(transcribed(text, transcriptShown), 'transcript')}
      />
      <SwitchField
        label="Показывать ученикам"
        description="Ученик откроет текст рядом с записью и в тесте, и в результате. Пока выключено, текст видите только вы."
        value={transcriptShown}
        onChange={(shown) => onChange(transcribed(transcript, shown), 'transcriptShown')}
      />
    </Stack>
  );
}

/** Empty fields are absent. */
const transcribed = (transcript: string, transcriptShown: boolean) => ({
  ...(transcript === '' ? {} : { transcript }),
  ...(transcriptShown ? { transcriptShown } : {}),
});
