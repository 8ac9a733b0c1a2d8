import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { useCallback, useRef } from 'react';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The question of the hash was just created, and no other one was opened since. */
    isNewQuestion?: true;
  }
}

const PREFIX = 'question-';

/** The current question, stored in the URL hash for reloads and links. */
export interface Chosen {
  /** Null: none. May refer to a deleted question. */
  readonly id: string | null;
  /** Just created: it shows no problems before it is left, or reached from a list of problems. */
  readonly isNew: boolean;
  /** `replace`: replaces the history entry. */
  readonly choose: (id: string, how?: { replace: boolean; isNew?: boolean }) => void;
  /** Returns to the list, by history if it was the previous entry. */
  readonly close: () => void;
}

/** Reads and sets `#question-…` without scrolling. */
export function useChosen(): Chosen {
  const hash = useLocation({ select: (location) => location.hash });
  const isNew = useLocation({ select: ({ state }) => state.isNewQuestion === true });
  const navigate = useNavigate();
  const { history } = useRouter();
  const cameFromList = useRef(false);
  const go = useCallback(
    (to: string, replace: boolean, isNewQuestion = false) =>
      void navigate({
        to: '.',
        hash: to,
        replace,
        resetScroll: false,
        hashScrollIntoView: false,
        ...(isNewQuestion ? { state: { isNewQuestion } } : {}),
      }),
    [navigate],
  );
  const choose = useCallback<Chosen['choose']>(
    (id, { replace, isNew: isNewQuestion = false } = { replace: true }) => {
      if (!replace) cameFromList.current = true;
      go(`${PREFIX}${id}`, replace, isNewQuestion);
    },
    [go],
  );
  const close = useCallback(() => {
    if (cameFromList.current) history.back();
    else go('', true);
    cameFromList.current = false;
  }, [go, history]);
  const id = hash.startsWith(PREFIX) ? hash.slice(PREFIX.length) : null;
  return { id, isNew, choose, close };
}
