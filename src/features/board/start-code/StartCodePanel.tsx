import { Button, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CodeClass } from '#contract/offers.ts';
import { nameClasses } from '#domain/class-names.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { Announcer } from '#app/ui/Announcer.tsx';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import { ConfirmModal } from '#app/ui/overlays/ConfirmModal.tsx';
import { CodeState } from './CodeState.tsx';
import { codeClassesQuery } from './queries.ts';
import { useAct } from './use-act.ts';

/** The class whose code is chosen, and its setter. */
export interface CodeChoice {
  readonly groupId: string | undefined;
  readonly onChange: (groupId: string | undefined) => void;
}

const ALL = '';

/** A class that has the common code, and may get one of its own. */
function CommonCode({ testId, groupId }: { testId: string; groupId: string }) {
  const act = useAct({ testId, groupId });
  const [isOpen, setOpen] = useState(false);
  const ask = () => {
    if (act.isError) act.reset();
    setOpen(true);
  };
  return (
    <>
      <Text fz={15} c="dimmed" textWrap="pretty">
        Сейчас у этого класса общий код теста. Если классы пишут в разное время, сделайте отдельный
        код: тогда по коду, который узнали от другого класса, здесь не начать.
      </Text>
      <Button variant="default" className="self-start" onClick={ask}>
        Отдельный код для класса
      </Button>
      <ConfirmModal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title="Сделать отдельный код?"
        confirm="Сделать"
        cancel="Оставить общий"
        isBusy={act.isPending}
        problem={act.error ? describeFailure(act.error) : null}
        onConfirm={() => act.mutate({ kind: 'make', groupId })}
      >
        <p>
          Общий код перестанет действовать для этого класса. Устройства его учеников загрузят
          попытку заново, и для этого им нужна сеть.
        </p>
      </ConfirmModal>
    </>
  );
}

function ClassChoice({
  classes,
  names,
  chosen,
  onChange,
}: {
  classes: readonly CodeClass[];
  names: ReadonlyMap<string, string>;
  chosen: CodeClass | undefined;
  onChange: CodeChoice['onChange'];
}) {
  const isSplit = classes.some(({ hasCode }) => hasCode);
  return (
    <SelectField
      label="Для кого код"
      native
      maw="20rem"
      choices={[
        { value: ALL, label: isSplit ? 'Все остальные: общий код' : 'Все классы' },
        ...classes.map(({ groupId, hasCode }) => ({
          value: groupId,
          label: `${names.get(groupId)}${hasCode ? ': отдельный код' : ''}`,
        })),
      ]}
      value={chosen?.groupId ?? ALL}
      onChange={(value) => onChange(value === ALL ? undefined : value)}
    />
  );
}

/** The start codes of a test that may begin without a network: the common one, and those of classes. */
export function StartCodePanel({ testId, choice }: { testId: string; choice: CodeChoice }) {
  const { data, error, refetch } = useQuery(codeClassesQuery(testId));
  if (!data) {
    if (error) return <QueryProblem error={error} onRetry={() => void refetch()} />;
    return <RowsSkeleton rows={2} />;
  }
  const classes = data.items;
  const hasChoice = classes.length > 1 || classes.some(({ hasCode }) => hasCode);
  const names = nameClasses(classes);
  const chosen = hasChoice ? classes.find(({ groupId }) => groupId === choice.groupId) : undefined;
  const groupId = chosen?.groupId;
  return (
    <Paper component="section" p="md" aria-label="Начало без сети">
      <Stack gap="sm">
        <Title order={2} fz={17}>
          Начало без сети
        </Title>
        {hasChoice && (
          <ClassChoice classes={classes} names={names} chosen={chosen} onChange={choice.onChange} />
        )}
        {chosen?.hasCode === false ? (
          <CommonCode key={chosen.groupId} testId={testId} groupId={chosen.groupId} />
        ) : (
          <CodeState
            key={groupId ?? ALL}
            code={{ testId, groupId }}
            className={groupId === undefined ? null : (names.get(groupId) ?? null)}
          />
        )}
      </Stack>
      <Announcer
        words={
          chosen
            ? `${names.get(chosen.groupId)}: ${chosen.hasCode ? 'отдельный' : 'общий'} код`
            : ''
        }
      />
    </Paper>
  );
}
