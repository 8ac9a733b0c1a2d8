import { Box, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { Icon } from '#app/ui/Icon.tsx';
import { RichText } from '#app/ui/rich-text/RichText.tsx';

/** A question or a shared text; `transcriptShown` is among what teachers get. */
export interface Transcribed {
  readonly transcript?: string | undefined;
  readonly transcriptShown?: boolean | undefined;
}

/** The words of a recording, folded until they are wanted. */
export function Transcript({
  of: { transcript = '', transcriptShown },
  keyed = false,
}: {
  of: Transcribed;
  /** For the teacher, who also reads what students do not get. */
  keyed?: boolean;
}) {
  if (transcript.trim() === '') return null;
  return (
    <Box component="details" my="xs">
      <Box component="summary" fw={500}>
        <Icon of={IconChevronDown} className="chevron" />
        Текст записи
        {keyed && !transcriptShown && (
          <Text span inherit c="dimmed" fw={400}>
            {' '}
            (ученикам не показан)
          </Text>
        )}
      </Box>
      <Box maw="68ch" pt={6} lh="lg" className="break-anywhere">
        <RichText text={transcript} />
      </Box>
    </Box>
  );
}
