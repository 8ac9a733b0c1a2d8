import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { useCallback, useRef } from 'react';

const PREFIX = 'question-';

/** The current question, stored in the URL hash for reloads and links. */
export interface Chosen {
  /** Null: none. May refer to a deleted question. */
  readonly id: string | null;
  /** `replace`: replaces the history entry. */
  readonly choose: (id: string, how?: { replace: boolean }) => void;
  /** Returns to the list, by history if it was the previous entry. */
  readonly close: () => void;
}

/** Reads and sets `#question-…` without scrolling. */
export function useChosen(): Chosen {
  const hash = useLocation({ select: (location) => location.hash });
  const navigate = useNavigate();
  const { history } = useRouter();
  const cameFromList = useRef(false);
  const go = useCallback(
    (to: string, replace: boolean) =>
      void navigate({ to: '.', hash: to, replace, resetScroll: false, hashScrollIntoView: false }),
    [navigate],
  );
  const choose = useCallback<Chosen['choose']>(
    (id, { replace } = { replace: true }) => {
      if (!replace) cameFromList.current = true;
      go(`${PREFIX}${id}`, replace);
    },
    [go],
  );
  const close = useCallback(() => {
    if (cameFromList.current) history.back();
    else go('', true);
    cameFromList.current = false;
  }, [go, history]);
  return { id: hash.startsWith(PREFIX) ? hash.slice(PREFIX.length) : null, choose, close };
}
