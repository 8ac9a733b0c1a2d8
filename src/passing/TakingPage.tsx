import type { ReactNode } from 'react';
import { PageSpinner } from '#app/ui/PageSpinner.tsx';

export interface TakingPageProps {
  testId: string;
  /** Whose attempt this is: the signed-in person, or he whose sign-in ended during it. */
  owner: string;
  /** False: answering goes on, sending waits for the sign-in in place. */
  signedIn: boolean;
  /** The sheet with the sign-in form, for the same person only. */
  renderSignIn: (sheet: { opened: boolean; onClose: () => void }) => ReactNode;
  /** The result under «Можно закрывать». */
  renderResult: (attemptId: string) => ReactNode;
  /** No attempt runs here: to the overview, or, with no such test, to the tests. */
  onAbsent: (where: 'overview' | 'tests') => void;
  /** «К тестам». */
  onLeave: () => void;
}

export function TakingPage({ signedIn, renderSignIn }: TakingPageProps) {
  return (
    <>
      <PageSpinner />
      {!signedIn && renderSignIn({ opened: true, onClose: () => undefined })}
    </>
  );
}
