import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { useCallback, useRef } from 'react';

const PREFIX = 'question-';

/** The question that stands in the address, so that a reload and a link find it again. */
export interface Chosen {
  /** Null: none is named. It may name a question that is gone. */
  readonly id: string | null;
  /** `replace`: «back» does not come to the one before. */
  readonly choose: (id: string, how?: { replace: boolean }) => void;
  /** Back to the list, as «back» does where the list was before. */
  readonly close: () => void;
}

/** Reads and sets `#question-…`; the page stays where it is scrolled to. */
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
