import { useEffect } from 'react';
import { createModuleLoader } from '#app/lazy/module-loader.ts';
import { useDevice } from '#app/lib/device-services.ts';
import type { AttemptView } from '#app/outbox/types.ts';

const SETTLED_MS = 500;
const RETRY_MS = 2_000;
/** What hinders for longer, as a file that does not load, hinders until the page changes. */
const MAX_TRIES = 10;

const loadPainter = createModuleLoader(() => import('#app/offline/paint-page.ts'));

/** Stores what the screen shows for the next start, once nothing has changed for a moment. */
export function usePaintedPage(view: AttemptView, current: number, isShown: boolean): void {
  const { storage } = useDevice();
  useEffect(() => {
    const root = document.getElementById('root');
    if (!root || !isShown || !('caches' in window)) return;
    const { owner, attemptId, head, lastQuestionId, questions } = view;
    const shown = current === 0 && lastQuestionId === null ? null : questions[current]?.questionId;
    const painted = { owner, attemptId, head, questionId: shown ?? null };
    let timer: number;
    let tries = 0;
    const paint = () => {
      tries += 1;
      void loadPainter()
        .then(({ paintAttempt }) => paintAttempt(root, storage, painted))
        // Without it the next start shows the shell.
        .catch(() => false)
        .then((isStored) => {
          if (!isStored && !isOver && tries < MAX_TRIES) timer = window.setTimeout(paint, RETRY_MS);
        });
    };
    let isOver = false;
    timer = window.setTimeout(paint, SETTLED_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [storage, view, current, isShown]);
}
