import { Button } from '@mantine/core';
import { IconAlertCircle, IconCheck, IconCopy, IconRefresh } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import classes from './ErrorPanel.module.css';

function RequestNumber({ value }: { value: string }) {
  const [copied, setCopied] = useState(false);
  const copy = () => {
    void navigator.clipboard?.writeText(value).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <p className={classes.request}>
      Номер запроса: <code>{value}</code>
      <button
        type="button"
        className={classes.copy}
        onClick={copy}
        aria-label="Скопировать номер запроса"
      >
        <Icon size={16} stroke={2} aria-hidden />
      </button>
      <output className={classes.copied}>{copied ? 'скопировано' : ''}</output>
    </p>
  );
}

export interface ErrorPanelProps {
  heading?: string;
  /** What happened, what is safe and what to do. */
  message: ReactNode;
  onRetry?: (() => void) | undefined;
  requestId?: string | undefined;
  /** Further words or links under the message. */
  children?: ReactNode;
}

/** The generic error: «Ошибка», the message, «Повторить». At most 400 px wide. */
export function ErrorPanel({
  heading = 'Ошибка',
  message,
  onRetry,
  requestId,
  children,
}: ErrorPanelProps) {
  return (
    <section className={classes.panel} role="alert">
      <IconAlertCircle size={30} stroke={1.75} aria-hidden />
      <h2>{heading}</h2>
      <p className={classes.message}>{message}</p>
      {children}
      {onRetry && (
        <Button
          fullWidth
          leftSection={<IconRefresh size={20} stroke={1.75} aria-hidden />}
          onClick={onRetry}
        >
          Повторить
        </Button>
      )}
      {requestId && <RequestNumber value={requestId} />}
    </section>
  );
}
