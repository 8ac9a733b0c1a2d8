import { ActionIcon } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { useState } from 'react';
import type { Question } from '#contract/questions.ts';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { ImproveModal } from './ImproveModal.tsx';
import { aiStatusQuery } from './queries.ts';

export interface ImproveMenuProps {
  readonly testId: string;
  readonly question: Question;
  /** Called with the chosen new version, which has the same id. */
  readonly onReplace: (question: Question) => void;
}

/** «Улучшить с ИИ…» among the actions of a question; empty without a provider. */
export function ImproveMenu({ testId, question, onReplace }: ImproveMenuProps) {
  const { data: status } = usePageQuery(aiStatusQuery);
  const [isOpen, setOpen] = useState(false);
  if (!status?.configured || status.host === null || status.model === null) return null;
  return (
    <>
      <ActionIcon aria-label="Улучшить с ИИ" title="Улучшить с ИИ" onClick={() => setOpen(true)}>
        <Icon of={IconSparkles} />
      </ActionIcon>
      {isOpen && (
        <ImproveModal
          provider={{ host: status.host, model: status.model }}
          question={question}
          testId={testId}
          onReplace={onReplace}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
