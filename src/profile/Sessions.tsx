import { Button } from '@mantine/core';
import { IconDeviceMobile } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { endOtherSessions, endSession, type OwnSession } from '#contract/profile.ts';
import { formatMoment } from '#domain/format-time.ts';
import { call } from '#app/api/call.ts';
import { useDevice } from '#app/offline/device-context.ts';
import { failureWords } from '#app/offline/failure-words.ts';
import { QueryProblem } from '#app/offline/QueryProblem.tsx';
import { usePageQuery } from '#app/offline/use-page-query.ts';
import { ConfirmSheet } from '#app/ui/ConfirmSheet.tsx';
import { FieldError } from '#app/ui/FieldError.tsx';
import { RowsSkeleton } from '#app/ui/RowsSkeleton.tsx';
import { StatePill } from '#app/ui/StatePill.tsx';
import classes from './Profile.module.css';
import { sessionsQuery } from './queries.ts';

function Row({
  session,
  isEnding,
  onEnd,
}: {
  session: OwnSession;
  isEnding: boolean;
  onEnd: () => void;
}) {
  const { serverNow, timeZone } = useDevice();
  const moment = (at: string) => formatMoment(new Date(at), serverNow(), timeZone);
  const device = session.device ?? 'Неизвестное устройство';
  return (
    <li className={classes.row}>
      <div className={classes.device}>
        <span className={classes.name}>{device}</span>
        <span className={classes.quiet}>
          Последнее обращение: {moment(session.lastUsedAt)}. Вход: {moment(session.createdAt)}
        </span>
      </div>
      {session.isCurrent ? (
        <StatePill icon={IconDeviceMobile} tone="ink">
          Это устройство
        </StatePill>
      ) : (
        <Button
          variant="default"
          size="sm"
          loading={isEnding}
          aria-label={`Завершить вход: ${device}`}
          onClick={onEnd}
        >
          Завершить
        </Button>
      )}
    </li>
  );
}

/** Where the person is signed in, and the way to end it elsewhere. */
export function Sessions() {
  const client = useQueryClient();
  const { data, problem, retry } = usePageQuery(sessionsQuery);
  const [isAsked, setAsked] = useState(false);
  const onSettled = () => client.invalidateQueries(sessionsQuery);
  const end = useMutation({
    mutationFn: (sessionId: string) => call(endSession, { params: { sessionId } }),
    onSettled,
  });
  const endOthers = useMutation({
    mutationFn: () => call(endOtherSessions, {}),
    onSuccess: () => setAsked(false),
    onSettled,
  });
  if (problem !== null) return <QueryProblem error={problem} onRetry={retry} />;
  if (data === undefined) return <RowsSkeleton rows={2} />;
  const hasOthers = data.some(({ isCurrent }) => !isCurrent);
  return (
    <>
      <ul className={classes.list}>
        {data.map((session) => (
          <Row
            key={session.id}
            session={session}
            isEnding={end.isPending && end.variables === session.id}
            onEnd={() => end.mutate(session.id)}
          />
        ))}
      </ul>
      <div role="alert">{end.error && <FieldError>{failureWords(end.error)}</FieldError>}</div>
      {hasOthers && (
        <Button variant="default" className={classes.send ?? ''} onClick={() => setAsked(true)}>
          Завершить все остальные входы
        </Button>
      )}
      <ConfirmSheet
        opened={isAsked}
        title="Завершить все остальные входы?"
        confirm="Завершить"
        cancel="Оставить"
        isBusy={endOthers.isPending}
        problem={endOthers.error && failureWords(endOthers.error)}
        onConfirm={() => endOthers.mutate()}
        onClose={() => {
          endOthers.reset();
          setAsked(false);
        }}
      >
        <p>
          Здесь вы останетесь. На остальных устройствах придётся войти заново; неотправленные ответы
          на них не пропадут и уйдут после входа.
        </p>
      </ConfirmSheet>
    </>
  );
}
