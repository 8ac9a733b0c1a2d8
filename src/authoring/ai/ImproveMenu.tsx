import { IconSparkles } from '@tabler/icons-react';
import { useState } from 'react';
import type { Question } from '#contract/questions.ts';
import { Theme } from '#contract/themes.ts';
import * as v from 'valibot';
import { settingsQuery } from '#app/authoring/queries.ts';
import { usePageQuery } from '#app/offline/use-page-query.ts';
import { QuietButton } from '#app/ui/QuietButton.tsx';
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
  const { data: settings } = usePageQuery(settingsQuery(testId));
  const [isOpen, setOpen] = useState(false);
  if (!status?.configured || status.host === null || status.model === null) return null;
  const theme = v.is(Theme, settings?.theme) ? settings.theme : '';
  return (
    <>
      <QuietButton icon={IconSparkles} onClick={() => setOpen(true)}>
        Улучшить с ИИ…
      </QuietButton>
      {isOpen && (
        <ImproveSheet
          provider={{ host: status.host, model: status.model }}
          question={question}
          theme={theme}
          resolve={resolve}
          onReplace={onReplace}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
