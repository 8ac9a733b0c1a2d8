import { Box, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { Icon } from '#app/ui/Icon.tsx';
import { RichText } from '#app/ui/rich-text/RichText.tsx';

/** A question or a shared text; only teachers get `transcriptShown`. */
export interface Transcribed {
  readonly transcript?: string | undefined;
  readonly transcriptShown?: boolean | undefined;
}

/** The text of a recording, folded at first. */
export function Transcript({
  of: { transcript = '', transcriptShown },
  keyed = false,
}: {
  of: Transcribed;
  /** For the teacher, who can also read what students do not get. */
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
