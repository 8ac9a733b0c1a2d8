import { Flex } from '@mantine/core';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiFailure } from '#app/api/failure.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { ErrorPanel } from '#app/ui/layout/ErrorPanel.tsx';
import { isLoadFailure } from '#app/ui/lazy/part.ts';
import { reloadIfReachable, reloadLostPage } from '#app/ui/lazy/reload-lost-page.ts';

const LOST_SCREEN =
  'Эта страница не загрузилась: нет сети или сервер не отвечает. Ответы на устройстве целы.';

/**
 * Error component of a route. A failed call shows the generic error, «Ошибка»; anything else the top-level
 * fallback with the texts fixed by the specification.
 */
export function ErrorScreen({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const isLost = isLoadFailure(error);
  // WebKit also loses what it loads right after a page that was left in the middle of its loading.
  useEffect(() => (isLost ? reloadLostPage() : undefined), [isLost]);
  const retry = () => {
    // The router does not load a screen again that did not arrive once.
    if (isLost) return void reloadIfReachable();
    reset();
    void router.invalidate();
  };
  const isCall = error instanceof ApiFailure;
  return (
    <Flex component="main" align="center" justify="center" mih="100dvh" p="var(--app-side)">
      <ErrorPanel
        {...(isCall ? {} : { heading: 'Что-то пошло не так!' })}
        message={isLost ? LOST_SCREEN : describeFailure(error)}
        onRetry={retry}
        requestId={isCall ? error.requestId : undefined}
      />
    </Flex>
  );
}
