import { Box, Button, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { createPupils, STUDENTS_AT_ONCE, type StudentCard } from '#contract/groups.ts';
import { formatCount, STUDENTS } from '#domain/format.ts';
import { call } from '#app/api/call.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { newId } from '#app/lib/new-id.ts';
import { DataTable, type DataColumn } from '#app/ui/data/DataTable.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { LeaveGuard } from '#app/ui/overlays/LeaveGuard.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { readNames, type ListedName, type NameList } from './name-list.ts';
import { problemMessage } from './messages.ts';
import { cardsKey, renewGroups } from './queries.ts';

export interface NewStudentsModalProps {
  opened: boolean;
  onClose: () => void;
  groupId: string;
  /** Names of the current members. */
  members: readonly string[];
  onMade: (cards: readonly StudentCard[]) => void;
}

const isFine = ({ problem }: ListedName) => problem === null;

/** Error of the list as a whole; empty: valid. */
function listProblem({ names }: NameList): string {
  const fine = names.filter(isFine);
  if (names.length === 0) return 'Введите хотя бы одно имя';
  if (fine.length === 0)
    return names.map(({ line, problem }) => `Строка ${line}: ${problem}`).join('. ');
  if (fine.length > STUDENTS_AT_ONCE)
    return `В списке ${formatCount(fine.length, STUDENTS)}, а за раз создаётся не больше ${STUDENTS_AT_ONCE}. Разделите список`;
  return '';
}

function failureOf(error: unknown): string | null {
  if (error instanceof ApiFailure && error.kind !== 'refused')
    return 'Ответ сервера не дошёл: ученики могли уже появиться в классе. Нажмите ещё раз: вторых учётных записей не будет.';
  return problemMessage(error);
}

const COLUMNS: readonly [DataColumn<ListedName>, ...DataColumn<ListedName>[]] = [
  {
    key: 'name',
    head: 'Фамилия и имя',
    isWide: true,
    renderCell: ({ name, problem, isNamesake }) => (
      <Stack gap={2} miw={0} className="break-anywhere">
        <span>{name || 'Без имени'}</span>
        {problem !== null && (
          <Text span fz="sm" c="var(--app-bad-text)">
            {problem}. Учётной записи не будет
          </Text>
        )}
        {isNamesake && (
          <Text span fz="sm" c="dimmed">
            Такое имя уже есть: это будет отдельная учётная запись
          </Text>
        )}
      </Stack>
    ),
  },
  { key: 'line', head: 'Строка', isFigure: true, renderCell: ({ line }) => line },
];

function Preview({ list }: { list: NameList }) {
  return (
    <>
      {list.notes.length > 0 && <InlineNote>{list.notes.join('. ')}</InlineNote>}
      <Box
        mah="45vh"
        className="line-above line-below scroll-y"
        // A long list is scrolled with the keyboard.
        tabIndex={0}
        role="group"
        aria-label="Будут созданы"
      >
        <DataTable
          caption="Будут созданы"
          rows={list.names}
          rowKey={({ line }) => String(line)}
          columns={COLUMNS}
        />
      </Box>
    </>
  );
}

/** The list outlives the modal: closed by mistake, it reopens unchanged. */
function useNewStudents({ groupId, onMade }: Pick<NewStudentsModalProps, 'groupId' | 'onMade'>) {
  const client = useQueryClient();
  const [text, setText] = useState('');
  const [list, setList] = useState<NameList | null>(null);
  // The same names have the same idempotency key until the call is confirmed: nobody is created twice.
  const order = useRef({ names: '', key: '' });
  const make = useMutation({
    mutationKey: cardsKey(groupId),
    mutationFn: (names: string[]) => {
      const joined = names.join('\n');
      if (order.current.names !== joined) order.current = { names: joined, key: newId() };
      return call(createPupils, { params: { groupId }, body: { key: order.current.key, names } });
    },
    // The passwords must not stay in the mutation cache.
    gcTime: 0,
    onSuccess: ({ items }) => {
      order.current = { names: '', key: '' };
      setText('');
      setList(null);
      onMade(items);
    },
    onSettled: () => renewGroups(client),
  });
  return { text, setText, list, setList, make };
}

function Steps({
  members,
  text,
  setText,
  list,
  setList,
  make,
}: Pick<NewStudentsModalProps, 'members'> & ReturnType<typeof useNewStudents>) {
  const [error, setError] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const problem = failureOf(make.error);

  const check = () => {
    const read = readNames(text, members);
    const wrong = listProblem(read);
    setError(wrong);
    if (wrong !== '') return field.current?.focus();
    make.reset();
    setList(read);
  };

  if (!list)
    return (
      <Stack
        renderRoot={(props) => <form noValidate {...props} />}
        onSubmit={(event) => {
          event.preventDefault();
          check();
        }}
      >
        <Textarea
          ref={field}
          data-autofocus
          rows={8}
          label="Фамилии и имена, по одному в строке"
          description="Список можно вставить из таблицы, со столбцами и заголовками. Почта не нужна: сайт придумает, с чем входить"
          value={text}
          error={error}
          onChange={(event) => {
            setText(event.target.value);
            setError('');
          }}
        />
        <Button type="submit" fullWidth>
          Проверить список
        </Button>
      </Stack>
    );
  const fine = list.names.filter(isFine);
  return (
    <Stack>
      <Preview list={list} />
      <Text fz="sm" c="dimmed">
        Затем откроются карточки с почтой для входа и паролем каждого: их нужно сразу напечатать.
      </Text>
      <div role="alert">{problem !== null && <FieldError>{problem}</FieldError>}</div>
      <Button
        fullWidth
        data-autofocus
        loading={make.isPending}
        onClick={() => make.mutate(fine.map(({ name }) => name))}
      >
        Создать {formatCount(fine.length, ['учётную запись', 'учётные записи', 'учётных записей'])}
      </Button>
      <Button variant="default" fullWidth onClick={() => setList(null)}>
        Изменить список
      </Button>
    </Stack>
  );
}

/** Creates accounts of students without e-mail: list of names, preview, cards. */
export function NewStudentsModal({
  opened,
  onClose,
  members,
  groupId,
  onMade,
}: NewStudentsModalProps) {
  const students = useNewStudents({ groupId, onMade });
  return (
    <Modal opened={opened} onClose={onClose} title="Ученики без почты" size="lg">
      <Steps members={members} {...students} />
      <LeaveGuard
        isDirty={opened && students.text !== '' && !students.make.isPending}
        message="Введённый список ещё не отправлен и пропадёт."
      />
    </Modal>
  );
}
