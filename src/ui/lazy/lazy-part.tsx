import { useState, type ComponentType, type ReactNode } from 'react';
import { IconAlertTriangle } from '@tabler/icons-react';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { createPart } from './part.ts';
import { whenIdle } from '#app/lazy/when-idle.ts';
import { usePart } from './use-part.ts';
import { reloadIfReachable } from './reload-lost-page.ts';

/** Replaces a part of the app that failed to load. */
function LoadProblem({ onRetry }: { onRetry: () => Promise<unknown> }) {
  return (
    <InlineNote
      tone="warn"
      icon={IconAlertTriangle}
      role="status"
      action={
        <QuietButton onClick={() => void onRetry().catch(() => reloadIfReachable())}>
          Повторить
        </QuietButton>
      }
    >
      Эта часть страницы не загрузилась. Остальное работает, ответы целы. Когда появится сеть, она
      загрузится сама.
    </InlineNote>
  );
}

export interface LazyProps {
  /** Shown until the component is loaded. */
  waiting?: ReactNode;
}

export interface LazyPart<Props> {
  (props: Props & LazyProps): ReactNode;
  /** Loads ahead of time, when the page has some: the network may be gone later. */
  preload: () => void;
}

/**
 * Like `React.lazy`, but a failed load can be repeated, and the rest of the screen works meanwhile.
 * @param isUrgent false: nothing is missing on the screen yet, so it is loaded when the page has time
 */
export function lazyPart<Module, Props extends object>(
  importModule: () => Promise<Module>,
  pick: (module: Module) => ComponentType<Props>,
  isUrgent = true,
): LazyPart<Props> {
  const part = createPart(importModule, pick);
  function Lazy({ waiting = null, ...props }: Props & LazyProps) {
    const { loaded: Component, hasFailed } = usePart(part, isUrgent);
    const [, render] = useState(0);
    if (Component) return <Component {...(props as unknown as Props)} />;
    if (!hasFailed) return waiting;
    return <LoadProblem onRetry={() => part.load().then(() => render((count) => count + 1))} />;
  }
  Lazy.preload = () => whenIdle(() => void part.load().catch(() => undefined));
  return Lazy;
}
