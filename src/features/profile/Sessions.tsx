import { Button, Group, Stack, Text } from '@mantine/core';
import { IconDeviceMobile } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { endOtherSessions, endSession, type OwnSession } from '#contract/profile.ts';
import { formatMoment } from '#domain/format-time.ts';
import { call } from '#app/api/call.ts';
import { useDevice, useShownZone } from '#app/lib/device-services.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { ConfirmModal } from '#app/ui/overlays/ConfirmModal.tsx';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import { StatePill } from '#app/ui/data/StatePill.tsx';
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
  const { serverNow } = useDevice();
  const timeZone = useShownZone();
  const moment = (at: string) => formatMoment(new Date(at), serverNow(), timeZone);
  const device = session.device ?? 'Неизвестное устройство';
  return (
    <Group
      component="li"
      justify="space-between"
      gap="0.5rem 1rem"
      mih="3.5rem"
      py="xs"
      className="line-below"
    >
      <Stack gap={2} miw={0} className="break-anywhere">
        <Text span inherit fw={500}>
          {device}
        </Text>
        <Text span size="sm" c="dimmed">
          Последнее обращение: {moment(session.lastUsedAt)}. Вход: {moment(session.createdAt)}
        </Text>
      </Stack>
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
    </Group>
  );
}

/** The person's sessions, with sign-out of the others. */
export function Sessions() {
  const client = useQueryClient();
  const { data, problem, retry } = usePageQuery(sessionsQuery);
  const [isConfirming, setConfirming] = useState(false);
  const onSettled = () => client.invalidateQueries(sessionsQuery);
  const end = useMutation({
    mutationFn: (sessionId: string) => call(endSession, { params: { sessionId } }),
    onSettled,
  });
  const endOthers = useMutation({
    mutationFn: () => call(endOtherSessions, {}),
    onSuccess: () => setConfirming(false),
    onSettled,
  });
  if (problem !== null) return <QueryProblem error={problem} onRetry={retry} />;
  if (data === undefined) return <RowsSkeleton rows={2} />;
  const hasOthers = data.some(({ isCurrent }) => !isCurrent);
  return (
    <>
      <ul className="line-above">
        {data.map((session) => (
          <Row
            key={session.id}
            session={session}
            isEnding={end.isPending && end.variables === session.id}
            onEnd={() => end.mutate(session.id)}
          />
        ))}
      </ul>
      <div role="alert">{end.error && <FieldError>{describeFailure(end.error)}</FieldError>}</div>
      {hasOthers && (
        <Button variant="default" w={{ xs: 'fit-content' }} onClick={() => setConfirming(true)}>
          Завершить все остальные входы
        </Button>
      )}
      <ConfirmModal
        opened={isConfirming}
        title="Завершить все остальные входы?"
        confirm="Завершить"
        cancel="Оставить"
        isBusy={endOthers.isPending}
        problem={endOthers.error && describeFailure(endOthers.error)}
        onConfirm={() => endOthers.mutate()}
        onClose={() => {
          endOthers.reset();
          setConfirming(false);
        }}
      >
        <p>
          Здесь вы останетесь. На остальных устройствах придётся войти заново; неотправленные ответы
          на них не пропадут и уйдут после входа.
        </p>
      </ConfirmModal>
    </>
  );
}
