import { ActionIcon, Box, Button, Flex, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { ROLE } from '#contract/auth.ts';
import { MAX_SHARES, type Colleague, type Shares } from '#contract/sharing.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { namesakeDetail, peopleQuery } from '#app/lib/school-queries.ts';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import { useSingleRemoval } from '#app/ui/forms/use-single-removal.ts';
import { FormModal } from '#app/ui/overlays/FormModal.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { LEVELS, shareExplanation, shareTitle } from './messages.ts';
import { renewShares, saveShares, sharesQuery, type ShareTarget } from './share-target.ts';

/** The differences from the state at the opening of the dialog. */
const changesOf = (before: readonly Colleague[], after: readonly Colleague[]) => ({
  given: after
    .filter((each) =>
      before.every(({ userId, level }) => userId !== each.userId || level !== each.level),
    )
    .map(({ userId, level }) => ({ userId, level })),
  taken: before.flatMap(({ userId }) =>
    after.some((each) => each.userId === userId) ? [] : userId,
  ),
});

/** A choice and a button: arrow keys pass through the choices, and must add nobody meanwhile. */
function AddColleague({
  ownerId,
  present,
  chosen,
  onChoose,
  onAdd,
}: {
  ownerId: string;
  present: readonly Colleague[];
  chosen: Colleague | null;
  onChoose: (colleague: Colleague | null) => void;
  onAdd: () => void;
}) {
  const { data, problem } = usePageQuery(peopleQuery);
  if (problem !== null) return <FieldError>{describeFailure(problem)}</FieldError>;
  const known = new Set([ownerId, ...present.map(({ userId }) => userId)]);
  const others = (data?.items ?? []).filter(
    ({ userId, role }) => role !== ROLE.student && !known.has(userId),
  );
  if (data && others.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {present.length === 0
          ? 'Других преподавателей в школе пока нет.'
          : 'Больше открыть доступ некому.'}
      </Text>
    );
  if (present.length >= MAX_SHARES)
    return (
      <Text size="sm" c="dimmed">
        Больше {MAX_SHARES} коллег добавить нельзя.
      </Text>
    );
  return (
    <Flex align="flex-end" gap="sm" wrap="wrap">
      <Box flex="1 1 12rem" miw={0}>
        <SelectField
          label="Коллега"
          native
          value={chosen?.userId ?? ''}
          choices={[
            { value: '', label: 'Выберите коллегу' },
            ...others.map((person) => ({
              value: person.userId,
              label: [person.userName, namesakeDetail(person)].filter(Boolean).join(' · '),
            })),
          ]}
          onChange={(next) => {
            const person = others.find(({ userId }) => userId === next);
            onChoose(
              person
                ? { userId: person.userId, userName: person.userName, level: 'results' }
                : null,
            );
          }}
        />
      </Box>
      <Button variant="default" aria-disabled={chosen === null} onClick={onAdd}>
        Добавить
      </Button>
    </Flex>
  );
}

function ColleagueRow({
  colleague,
  hasLevel,
  onLevel,
  onRemove,
}: {
  colleague: Colleague;
  /** Whether the access has levels. */
  hasLevel: boolean;
  onLevel: (level: Colleague['level']) => void;
  onRemove: () => void;
}) {
  return (
    <Flex component="li" className="line-below" align="center" gap="sm" py={6}>
      <Flex flex={1} miw={0} wrap="wrap" align="center" gap="0.25rem 0.75rem">
        <Text span flex="1 1 10rem" miw={0} className="break-anywhere">
          {colleague.userName}
        </Text>
        {hasLevel && (
          <SelectField
            label={`Что может ${colleague.userName}`}
            labelHidden
            native
            value={colleague.level}
            choices={LEVELS}
            onChange={onLevel}
          />
        )}
      </Flex>
      <ActionIcon aria-label={`Закрыть доступ: ${colleague.userName}`} onClick={onRemove}>
        <Icon of={IconX} />
      </ActionIcon>
    </Flex>
  );
}

function SharingForm({
  target,
  stored: given,
  onDirty,
  onSaved,
}: {
  target: ShareTarget;
  stored: Shares;
  onDirty: (isDirty: boolean) => void;
  onSaved: () => void;
}) {
  const client = useQueryClient();
  const listId = useId();
  // A later reply must not undo the choice made here.
  const [stored] = useState(given.items);
  const [shares, setShares] = useState<readonly Colleague[]>(stored);
  // Chosen, and not added yet: saving adds it.
  const [chosen, setChosen] = useState<Colleague | null>(null);
  const removeOne = useSingleRemoval();
  const change = (next: readonly Colleague[], nextChosen = chosen) => {
    setShares(next);
    setChosen(nextChosen);
    const { given: more, taken } = changesOf(stored, next);
    onDirty(nextChosen !== null || more.length + taken.length > 0);
  };
  const withChosen = chosen ? [...shares, chosen] : shares;
  const save = useMutation({
    mutationFn: () => saveShares(target, changesOf(stored, withChosen)),
    onSuccess: async () => {
      await renewShares(client, target);
      onSaved();
    },
  });
  return (
    <Stack>
      <Text>{shareExplanation(target)}</Text>
      <AddColleague
        ownerId={given.ownerId}
        present={shares}
        chosen={chosen}
        onChoose={(next) => change(shares, next)}
        onAdd={() => change(withChosen, null)}
      />
      <Box>
        <Text fw={500} id={listId}>
          У кого есть доступ
        </Text>
        <VisuallyHidden component="output">В списке: {shares.length}</VisuallyHidden>
        {shares.length === 0 ? (
          <Text size="sm" c="dimmed">
            Пока ни у кого, кроме владельца.
          </Text>
        ) : (
          <ul aria-labelledby={listId}>
            {shares.map((colleague) => (
              <ColleagueRow
                key={colleague.userId}
                colleague={colleague}
                hasLevel={target.kind === 'test'}
                onLevel={(level) =>
                  change(
                    shares.map((each) =>
                      each.userId === colleague.userId ? { ...each, level } : each,
                    ),
                  )
                }
                onRemove={() =>
                  removeOne(() =>
                    change(shares.filter(({ userId }) => userId !== colleague.userId)),
                  )
                }
              />
            ))}
          </ul>
        )}
      </Box>
      <div role="alert">{save.error && <FieldError>{describeFailure(save.error)}</FieldError>}</div>
      <Button fullWidth loading={save.isPending} onClick={() => save.mutate()}>
        Сохранить
      </Button>
    </Stack>
  );
}

function Loaded({
  target,
  onDirty,
  onSaved,
}: {
  target: ShareTarget;
  onDirty: (isDirty: boolean) => void;
  onSaved: () => void;
}) {
  const { data, problem, retry } = usePageQuery(sharesQuery(target));
  // A failed refresh must not remove the form.
  if (data)
    return <SharingForm target={target} stored={data} onDirty={onDirty} onSaved={onSaved} />;
  return problem === null ? <RowsSkeleton /> : <QueryProblem error={problem} onRetry={retry} />;
}

/** «Доступ коллег»: who else works with a test, a class or the bank. */
export function SharingModal({
  target,
  onClose,
  onSaved,
}: {
  /** Null: closed. */
  target: ShareTarget | null;
  onClose: () => void;
  onSaved?: () => void;
}) {
  const [isDirty, setDirty] = useState(false);
  if (target === null) return <Modal opened={false} onClose={onClose} title="" />;
  const close = () => {
    setDirty(false);
    onClose();
  };
  return (
    <FormModal
      opened
      onClose={close}
      title={shareTitle(target)}
      isDirty={isDirty}
      unsaved="Изменения доступа ещё не сохранены и пропадут."
    >
      <Loaded
        target={target}
        onDirty={setDirty}
        onSaved={() => {
          close();
          onSaved?.();
        }}
      />
    </FormModal>
  );
}
