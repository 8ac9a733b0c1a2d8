import { Component, type ErrorInfo, type ReactNode } from 'react';
import { UNEXPECTED } from '#app/api/failure.ts';
import { logProblem } from '#app/lib/log.ts';
import { ErrorPanel } from '#app/ui/layout/ErrorPanel.tsx';

interface State {
  error: Error | null;
}

/** Top-level error boundary: the message, «Что-то пошло не так!» and «Повторить». */
export class TopLevelFallback extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(UNEXPECTED) };
  }

  override componentDidCatch(cause: unknown, { componentStack }: ErrorInfo): void {
    logProblem('Экран не показать', { cause, componentStack });
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <ErrorPanel
        heading="Что-то пошло не так!"
        message={error.message}
        onRetry={() => this.setState({ error: null })}
      />
    );
  }
}
