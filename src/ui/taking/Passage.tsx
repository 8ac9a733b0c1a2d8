import { Box } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Icon } from '#app/ui/Icon.tsx';
import { RichText } from '#app/ui/rich-text/RichText.tsx';
import { Transcript, type Transcribed } from './Transcript.tsx';

export interface PassageProps {
  passage: Transcribed & { readonly text: string };
  /** Whether it is unfolded at first. */
  unfolded?: boolean;
  /** For the teacher, who can also read a transcript that students do not get. */
  keyed?: boolean;
  /** Shown instead of an empty text. */
  placeholder?: ReactNode;
}

/** A text that several questions share. It can be folded to make room for the question. */
export function Passage({ passage, unfolded = true, keyed = false, placeholder }: PassageProps) {
  return (
    <Box
      component="details"
      mb="md"
      bd="1px solid var(--app-line)"
      bdrs="md"
      bg="var(--app-quiet-soft)"
      style={{ '--rich-back': 'transparent' }}
      open={unfolded}
    >
      <Box component="summary" px={14} fw={500}>
        <Icon of={IconChevronDown} className="chevron" />
        Общий текст
      </Box>
      <Box maw="68ch" px={14} pb={14} lh="lg" className="break-anywhere">
        {placeholder !== undefined && passage.text.trim() === '' ? (
          placeholder
        ) : (
          <RichText text={passage.text} />
        )}
        <Transcript keyed={keyed} of={passage} />
      </Box>
    </Box>
  );
}
