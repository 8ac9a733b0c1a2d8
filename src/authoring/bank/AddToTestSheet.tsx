import { Button } from '@mantine/core';
import { useState } from 'react';
import { listCreatedTests, type CreatedTest } from '#contract/authoring.ts';
import type { BankEntry } from '#contract/bank.ts';
import { copiedQuestion } from '#domain/bank.ts';
import { call } from '#app/api/call.ts';
import { appendQuestions } from '#app/authoring/draft/append.ts';
import { failureWords } from '#app/offline/failure-words.ts';
import { newId } from '#app/offline/new-id.ts';
import { usePageQuery } from '#app/offline/use-page-query.ts';
import { FieldError } from '#app/ui/FieldError.tsx';
import { SearchField } from '#app/ui/SearchField.tsx';
import { Sheet } from '#app/ui/Sheet.tsx';
import { TestStatusPill } from '#app/ui/TestStatusPill.tsx';
import classes from './Bank.module.css';

/** Tests beyond it are reached by searching. */
const SHOWN = 50;

type Target = Pick<CreatedTest, 'id' | 'title'>;

function Targets({
  sought,
  chosen,
  onChoose,
}: {
  sought: string;
  chosen: Target | null;
  onChoose: (test: Target) => void;
}) {
  const { data, problem } = usePageQuery({
    queryKey: ['tests/created', 'toAdd', sought],
    queryFn: ({ signal }) =>
      call(listCreatedTests, { query: { searchQuery: sought, pageSize: SHOWN } }, { signal }),
  });
  if (!data) {
    return (
      <p className={classes.hint} role="status">
        {problem === null ? 'Загружаем тесты' : failureWords(problem)}
      </p>
    );
  }
  const tests = data.items.filter(({ lifecycle }) => lifecycle !== 'archived');
  if (tests.length === 0) {
    return (
      <p className={classes.hint} role="status">
        {sought === ''
          ? 'Тестов пока нет: создайте первый в «Моих тестах».'
          : 'Ничего не найдено. Измените запрос.'}
      </p>
    );
  }
  return (
    <>
      <ul className={classes.targets}>
        {tests.map(({ id, title, lifecycle }) => (
          <li key={id}>
            <label className={classes.target}>
              <input
                type="radio"
                name="target"
                checked={chosen?.id === id}
                onChange={() => onChoose({ id, title })}
              />
              <span>{title}</span>
              <TestStatusPill status={lifecycle} />
            </label>
          </li>
        ))}
      </ul>
      {data.total > data.items.length && (
        <p className={classes.hint}>Показаны не все тесты: уточните название.</p>
      )}
    </>
  );
}

/** Chooses one of the teacher's tests and puts a copy of the question at its end. */
export function AddToTestSheet({
  entry,
  onClose,
  onAdded,
}: {
  entry: BankEntry;
  onClose: () => void;
  onAdded: (test: Target) => void;
}) {
  const [sought, setSought] = useState('');
  const [chosen, setChosen] = useState<Target | null>(null);
  // One copy, however often it is sent: it gets there once.
  const [copy] = useState(() => copiedQuestion(entry.question, newId));
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const isThere = entry.uses.some(({ testId }) => testId === chosen?.id);
  const add = async () => {
    if (!chosen) {
      setProblem('Выберите тест');
      return;
    }
    setBusy(true);
    setProblem('');
    try {
      await appendQuestions(chosen.id, [copy]);
      onAdded(chosen);
    } catch (error) {
      setProblem(failureWords(error));
      setBusy(false);
    }
  };
  return (
    <Sheet
      opened
      onClose={onClose}
      title="Добавить вопрос в тест"
      footer={
        <>
          {isThere && (
            <p className={classes.hint} role="status">
              В этом тесте вопрос уже есть: добавится ещё одна копия.
            </p>
          )}
          <div role="alert">{problem !== '' && <FieldError>{problem}</FieldError>}</div>
          <Button loading={isBusy} onClick={() => void add()}>
            Добавить
          </Button>
        </>
      }
    >
      <SearchField
        label="Найти тест"
        placeholder="Название теста"
        value={sought}
        onSearch={setSought}
      />
      <Targets
        sought={sought}
        chosen={chosen}
        onChoose={(test) => {
          setChosen(test);
          setProblem('');
        }}
      />
    </Sheet>
  );
}
