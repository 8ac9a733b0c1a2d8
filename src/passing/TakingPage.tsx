import type { ReactNode } from 'react';
import type { AttemptView } from '#app/outbox/types.ts';
import { PageSpinner } from '#app/ui/PageSpinner.tsx';
import { Taking } from './Taking.tsx';
import type { LocalMemory } from './told-times.ts';
import { useAttempt } from './use-attempt.ts';

export interface TakingPageProps {
  testId: string;
  /** Whose attempt this is: the signed-in person, or he whose sign-in ended during it. */
  owner: string;
  /** False: answering goes on, sending waits for the sign-in in place. */
  signedIn: boolean;
  /** Where this device remembers what it told of the time. */
  local: LocalMemory;
  /** The sheet with the sign-in form, for the same person only. */
  renderSignIn: (sheet: { opened: boolean; onClose: () => void }) => ReactNode;
  /** The result under «Можно закрывать». */
  renderResult: (attemptId: string) => ReactNode;
  /** No attempt runs here. */
  renderAbsent: () => ReactNode;
  /** «К тестам». */
  onLeave: () => void;
}

/** `/tests/{testId}`: the attempt that this device holds. Never starts one. */
export function TakingPage({ testId, owner, renderAbsent, ...rest }: TakingPageProps) {
  const view = useAttempt(owner, testId);
  if (view === null) return renderAbsent();
  if (!view || !hasContent(view)) return <PageSpinner />;
  return <Taking key={view.attemptId} view={view} {...rest} />;
}

const hasContent = (view: AttemptView) => view.questions.length > 0;
