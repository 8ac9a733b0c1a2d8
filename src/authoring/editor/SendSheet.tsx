import { Button } from '@mantine/core';
import { useState } from 'react';
import { listCreatedTests } from '#contract/authoring.ts';
import { PAGE_SIZE_MOST } from '#contract/limits.ts';
import type { Question } from '#contract/questions.ts';
import { formatCount, QUESTIONS } from '#domain/format.ts';
import { call } from '#app/api/call.ts';
import { appendQuestions } from '#app/authoring/draft/append.ts';
import { failureWords } from '#app/offline/failure-words.ts';
import { newId } from '#app/offline/new-id.ts';
import { usePageQuery } from '#app/offline/use-page-query.ts';
import { FieldError } from '#app/ui/FieldError.tsx';
import { SearchField } from '#app/ui/SearchField.tsx';
import { Sheet } from '#app/ui/Sheet.tsx';
import { TestStatusPill } from '#app/ui/TestStatusPill.tsx';
import { copiesForAnotherTest } from './edits.ts';
import classes from './editor.module.css';

export interface SendSheetProps {
  testId: string;
  questions: readonly Question[];
  how: 'move' | 'copy';
  onClose: () => void;
  onSent: (test: { id: string; title: string }) => void;
}

/** Chooses one of the teacher's tests; the questions are there before they may leave this one. */
export function SendSheet({ testId, questions, how, onClose, onSent }: SendSheetProps) {
  const [sought, setSought] = useState('');
  const [chosen, setChosen] = useState<{ id: string; title: string } | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  // The same at every try: what arrived although its reply was lost is not added twice.
  const [copies] = useState(() => copiesForAnotherTest(questions, newId));
  const query = { pageSize: PAGE_SIZE_MOST, ...(sought === '' ? {} : { searchQuery: sought }) };
  const { data, problem: listProblem } = usePageQuery({
    queryKey: ['tests/created', 'send', sought],
    queryFn: ({ signal }) => call(listCreatedTests, { query }, { signal }),
  });
  const tests = data?.items.filter(
    ({ id, lifecycle }) => id !== testId && lifecycle !== 'archived',
  );
  const verb = how === 'move' ? 'Переместить' : 'Скопировать';
  const send = async () => {
    if (!chosen) {
      setProblem('Выберите тест');
      return;
    }
    setBusy(true);
    setProblem('');
    try {
      await appendQuestions(chosen.id, copies);
      onSent(chosen);
      onClose();
    } catch (error) {
      setProblem(`Вопросы остались здесь. ${failureWords(error)}`);
      setBusy(false);
    }
  };
  return (
    <Sheet
      opened
      onClose={onClose}
      title={`${verb} ${formatCount(questions.length, QUESTIONS)} в другой тест`}
      footer={
        <>
          <div role="alert">{problem !== '' && <FieldError>{problem}</FieldError>}</div>
          <Button loading={isBusy} onClick={() => void send()}>
            {verb}
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
      {tests === undefined ? (
        <p className={classes.hint} role="status">
          {listProblem === null ? 'Загружаем тесты' : failureWords(listProblem)}
        </p>
      ) : tests.length === 0 ? (
        <p className={classes.hint}>
          {sought === ''
            ? 'Другого теста пока нет: создайте его в «Моих тестах».'
            : 'Ничего не найдено'}
        </p>
      ) : (
        <ul className={classes.targets}>
          {tests.map(({ id, title, lifecycle }) => (
            <li key={id}>
              <label className={classes.target}>
                <input
                  type="radio"
                  name="target"
                  checked={chosen?.id === id}
                  onChange={() => {
                    setChosen({ id, title });
                    setProblem('');
                  }}
                />
                <span>{title}</span>
                <TestStatusPill status={lifecycle} />
              </label>
            </li>
          ))}
        </ul>
      )}
    </Sheet>
  );
}
