import { ActionIcon } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { useState } from 'react';
import type { Question } from '#contract/questions.ts';
import { usePageQuery } from '#app/offline/use-page-query.ts';
import { ImproveSheet } from './ImproveSheet.tsx';
import { aiStatusQuery } from './queries.ts';

export interface ImproveMenuProps {
  readonly testId: string;
  readonly question: Question;
  readonly resolve: (key: string) => Promise<string>;
  /** The new version was chosen: it has the id of the old one. */
  readonly onReplace: (question: Question) => void;
}

/** «Улучшить с ИИ…» among the actions of a question; nothing where no provider is configured. */
export function ImproveMenu({ testId, question, resolve, onReplace }: ImproveMenuProps) {
  const { data: status } = usePageQuery(aiStatusQuery);
  const [isOpen, setOpen] = useState(false);
  if (!status?.configured || status.host === null || status.model === null) return null;
  return (
    <>
      <ActionIcon aria-label="Улучшить с ИИ" title="Улучшить с ИИ" onClick={() => setOpen(true)}>
        <IconSparkles size={20} stroke={1.75} aria-hidden />
      </ActionIcon>
      {isOpen && (
        <ImproveSheet
          provider={{ host: status.host, model: status.model }}
          question={question}
          testId={testId}
          resolve={resolve}
          onReplace={onReplace}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
