import type { ReactNode } from 'react';
import type { AttemptView } from '#app/outbox/types.ts';
import { PageSpinner } from '#app/ui/layout/PageSpinner.tsx';
import { Taking } from './Taking.tsx';
import type { LocalMemory } from './announced-warnings.ts';
import { useAttempt } from './use-attempt.ts';

export interface TakingPageProps {
  testId: string;
  /** Owner of the attempt: the signed-in person, or the person whose session ended during it. */
  owner: string;
  /** False: answers are still accepted, sending waits for the sign-in modal. */
  signedIn: boolean;
  /** Storage of the announced time warnings. */
  local: LocalMemory;
  /** The sign-in modal, for the same person only. */
  renderSignIn: (sheet: { opened: boolean; onClose: () => void }) => ReactNode;
  /** The result shown under «Можно закрывать». */
  renderResult: (attemptId: string) => ReactNode;
  /** Shown when no attempt runs on this device. */
  renderAbsent: () => ReactNode;
  /** «К тестам». */
  onLeave: () => void;
}

/** `/tests/{testId}`: the attempt stored on this device. Never starts one. */
export function TakingPage({ testId, owner, renderAbsent, ...rest }: TakingPageProps) {
  const view = useAttempt(owner, testId);
  if (view === null) return renderAbsent();
  if (!view || !hasContent(view)) return <PageSpinner />;
  return <Taking key={view.attemptId} view={view} {...rest} />;
}

const hasContent = (view: AttemptView) => view.questions.length > 0;
