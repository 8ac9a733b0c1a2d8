import { Button, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { joinGroup } from '#contract/groups.ts';
import { showJoinCode } from '#domain/join-codes.ts';
import { call } from '#app/api/call.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { queryKeys } from '#app/lib/query-keys.ts';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import { JOIN_CARD, JoinByCode } from './JoinByCode.tsx';
import { problemMessage } from './messages.ts';
import { joinCodeQuery } from './queries.ts';

export interface JoinPageProps {
  code: string;
  /** Teachers and admins cannot join a class. */
  isStudent: boolean;
}

const isRefused = (error: unknown): error is ApiFailure =>
  error instanceof ApiFailure && error.kind === 'refused';

function Joined({ name }: { name: string }) {
  return (
    <Stack {...JOIN_CARD}>
      <h2>Вы в классе {name}</h2>
      <p>Тесты, которые назначат классу, появятся в разделе «Мои тесты».</p>
      <Button w={{ md: 'fit-content' }} renderRoot={(props) => <Link to="/tests/my" {...props} />}>
        К моим тестам
      </Button>
    </Stack>
  );
}

/** Joining a class by its code: shows the class first, then joins. */
export function JoinPage({ code, isStudent }: JoinPageProps) {
  const client = useQueryClient();
  const found = usePageQuery(joinCodeQuery(code));
  const join = useMutation({
    mutationFn: () => call(joinGroup, { body: { code } }),
    onSuccess: () => void client.invalidateQueries({ queryKey: queryKeys.tests }),
  });
  if (isRefused(found.problem))
    return <JoinByCode initial={code} refusal={problemMessage(found.problem) ?? ''} />;
  if (found.problem !== null) return <QueryProblem error={found.problem} onRetry={found.retry} />;
  if (!found.data) return <RowsSkeleton rows={2} />;
  const { name, owner, isMember } = found.data;
  const isIn =
    isMember || join.isSuccess || (isRefused(join.error) && join.error.code === 'ALREADY_MEMBER');
  if (isIn) return <Joined name={name} />;
  const problem = problemMessage(join.error);
  return (
    <Stack {...JOIN_CARD}>
      <h2>Класс {name}</h2>
      <p>
        Преподаватель: {owner}
        <br />
        Код: {showJoinCode(code)}
      </p>
      {isStudent ? (
        <>
          <InlineNote>
            Преподаватель увидит ваше имя и почту, сможет назначать вам тесты и, если вы забудете
            пароль, выдать новый.
          </InlineNote>
          <div role="alert">{problem !== null && <FieldError>{problem}</FieldError>}</div>
          <Button w={{ md: 'fit-content' }} loading={join.isPending} onClick={() => join.mutate()}>
            Вступить в класс
          </Button>
        </>
      ) : (
        <InlineNote>В класс по коду вступают только ученики, а вы вошли не как ученик.</InlineNote>
      )}
    </Stack>
  );
}
