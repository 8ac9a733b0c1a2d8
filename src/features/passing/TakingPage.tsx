import type { ReactNode } from 'react';
import { PageSpinner } from '#app/ui/layout/PageSpinner.tsx';
import { lazyPart } from '#app/ui/lazy/lazy-part.tsx';
import { Taking } from './Taking.tsx';
import type { LocalMemory } from './announced-warnings.ts';
import { useAttempt } from './use-attempt.ts';

// Lazy: needed only where the browser's storage was damaged.
const LostQuestions = lazyPart(
  () => import('./LostQuestions.tsx'),
  (module) => module.LostQuestions,
);

export interface TakingPageProps {
  testId: string;
  /** Owner of the attempt: the signed-in person, or the person who was signed in when the session ended. */
  owner: string;
  /** False: answers are still accepted, sending waits for the sign-in modal. */
  signedIn: boolean;
  /** Storage of the announced time warnings. */
  local: LocalMemory;
  /** The sign-in modal, for the same person only. */
  renderSignIn: (modal: { opened: boolean; onClose: () => void }) => ReactNode;
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
  if (!view) return <PageSpinner />;
  if (view.questions.length === 0)
    return <LostQuestions waiting={<PageSpinner />} view={view} onLeave={rest.onLeave} />;
  return <Taking key={view.attemptId} view={view} {...rest} />;
}
