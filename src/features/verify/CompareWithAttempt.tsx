import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconScale } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { getReceipt, type AttemptReceipt } from '#contract/receipts.ts';
import { showJoinCode } from '#domain/join-codes.ts';
import type { ReadReceipt } from '#domain/receipt.ts';
import { call } from '#app/api/call.ts';
import { describeFailure, isNotFound } from '#app/lib/failure-messages.ts';
import { describeChanges } from '#app/lib/receipts/describe-changes.ts';
import { useSession } from '#app/lib/session/session-context.ts';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { Icon } from '#app/ui/Icon.tsx';

const NO_RECEIPT =
  'Квитанции этой попытки на сервере сейчас нет: после неё попытка шла снова или сервер восстановили из копии. Когда ученик откроет квитанцию ещё раз, можно будет сравнить.';

function Compared({ held, current }: { held: ReadReceipt; current: AttemptReceipt | null }) {
  if (current === null) return <InlineNote tone="warn">{NO_RECEIPT}</InlineNote>;
  const { isChanged, words } = describeChanges(held.facts, current.present);
  return (
    <InlineNote tone={isChanged ? 'warn' : 'ok'} icon={isChanged ? IconAlertTriangle : IconCheck}>
      <p>Сравнение с попыткой: {words}.</p>
      {current.text !== held.text && (
        <p>
          Действует уже другая квитанция, с кодом{' '}
          <b className="nowrap">{showJoinCode(current.code)}</b>: после этой попытка шла снова,
          стали видны баллы или сервер восстановили из копии.
        </p>
      )}
    </InlineNote>
  );
}

/** For the student and the graders of the attempt: whether it is still what a genuine receipt says. */
export function CompareWithAttempt({ held }: { held: ReadReceipt }) {
  const isSignedIn = useSession() !== null;
  const { attemptId } = held.facts;
  const compare = useMutation({
    mutationFn: async () => (await call(getReceipt, { params: { attemptId } })).receipt,
  });
  if (!isSignedIn) return null;
  return (
    <>
      <Button
        variant="default"
        className="self-start"
        leftSection={<Icon of={IconScale} />}
        loading={compare.isPending}
        onClick={() => compare.mutate()}
      >
        Сравнить с попыткой
      </Button>
      {compare.isSuccess && <Compared held={held} current={compare.data} />}
      {compare.isError && (
        <FieldError>
          {isNotFound(compare.error)
            ? 'Сравнить не получится: эту попытку видят только её ученик и его преподаватель.'
            : describeFailure(compare.error)}
        </FieldError>
      )}
    </>
  );
}
