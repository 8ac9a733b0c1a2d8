import { useState } from 'react';
import { listCreatedTests, type CreatedTest } from '#contract/authoring.ts';
import { PAGE_SIZE_MOST } from '#contract/limits.ts';
import { call } from '#app/api/call.ts';
import { failureWords } from '#app/offline/failure-words.ts';
import { usePageQuery } from '#app/offline/use-page-query.ts';
import { SearchField } from '#app/ui/SearchField.tsx';
import { TestStatusPill } from '#app/ui/TestStatusPill.tsx';
import classes from './TestPicker.module.css';

export type PickedTest = Pick<CreatedTest, 'id' | 'title'>;

export interface TestPickerProps {
  chosen: PickedTest | null;
  onChoose: (test: PickedTest) => void;
  /** Id of a test that is not offered. */
  except?: string;
  /** What is said where there is no test to choose. */
  none: string;
}

function Tests({ sought, chosen, onChoose, except, none }: TestPickerProps & { sought: string }) {
  const { data, problem } = usePageQuery({
    queryKey: ['tests/created', 'choose', sought],
    queryFn: ({ signal }) =>
      call(
        listCreatedTests,
        { query: { searchQuery: sought, pageSize: PAGE_SIZE_MOST } },
        { signal },
      ),
  });
  if (!data) {
    return (
      <p className={classes.hint} role="status">
        {problem === null ? 'Загружаем тесты' : failureWords(problem)}
      </p>
    );
  }
  const tests = data.items.filter(({ id, lifecycle }) => id !== except && lifecycle !== 'archived');
  if (tests.length === 0) {
    return (
      <p className={classes.hint} role="status">
        {sought === '' ? none : 'Ничего не найдено. Измените запрос.'}
      </p>
    );
  }
  return (
    <>
      <ul className={classes.tests}>
        {tests.map(({ id, title, lifecycle }) => (
          <li key={id}>
            <label className={classes.test}>
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

/** One of the teacher's own tests to put questions into; tests beyond a page are reached by searching. */
export function TestPicker(props: TestPickerProps) {
  const [sought, setSought] = useState('');
  return (
    <>
      <SearchField
        label="Найти тест"
        placeholder="Название теста"
        value={sought}
        onSearch={setSought}
      />
      <Tests {...props} sought={sought} />
    </>
  );
}
