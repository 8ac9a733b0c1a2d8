import { ApiFailure } from '#app/api/failure.ts';
import { ErrorPanel } from '#app/ui/layout/ErrorPanel.tsx';
import { describeFailure } from './failure-messages.ts';

/** Message about data that was never loaded on this device. */
const ABSENT = {
  page: 'Этой страницы на устройстве ещё нет',
  list: 'Этот список ещё не открывали на этом устройстве',
  test: 'Этот тест ещё не открывали на этом устройстве',
  result: 'Этого результата на устройстве ещё нет',
} as const;

export interface QueryProblemProps {
  error: unknown;
  onRetry: () => void;
  what?: keyof typeof ABSENT;
}

/** Why a page's data could not be loaded, with «Повторить». */
export function QueryProblem({ error, onRetry, what = 'page' }: QueryProblemProps) {
  const isFailure = error instanceof ApiFailure;
  // There is no stored copy either. The query is repeated when the network is back.
  if (isFailure && error.kind === 'unreachable') {
    const reason = navigator.onLine ? 'сервер не отвечает' : 'сети нет';
    return (
      <ErrorPanel
        heading={navigator.onLine ? 'Сервер не отвечает' : 'Нет сети'}
        message={`${ABSENT[what]}, а ${reason}. Когда связь вернётся, всё откроется само. То, что сохранено на устройстве, цело.`}
        onRetry={onRetry}
      />
    );
  }
  return (
    <ErrorPanel
      message={describeFailure(error)}
      onRetry={onRetry}
      requestId={isFailure ? error.requestId : undefined}
    />
  );
}
