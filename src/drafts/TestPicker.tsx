import { Box, Flex, Text } from '@mantine/core';
import { useState } from 'react';
import { listCreatedTests, type CreatedTest } from '#contract/authoring.ts';
import { MAX_PAGE_SIZE } from '#contract/limits.ts';
import { call } from '#app/api/call.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { queryKeys } from '#app/lib/query-keys.ts';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { SearchField } from '#app/ui/forms/SearchField.tsx';
import { TestStatusPill } from '#app/ui/data/TestStatusPill.tsx';
import { ChoiceRow } from '#app/ui/forms/ChoiceRow.tsx';

export type PickedTest = Pick<CreatedTest, 'id' | 'title'>;

export interface TestPickerProps {
  chosen: PickedTest | null;
  onChoose: (test: PickedTest) => void;
  /** Id of an excluded test. */
  except?: string;
  /** Text of the empty list. */
  none: string;
}

function Tests({ sought, chosen, onChoose, except, none }: TestPickerProps & { sought: string }) {
  const { data, problem } = usePageQuery({
    queryKey: [...queryKeys.createdTests, 'choose', sought],
    queryFn: ({ signal }) =>
      call(
        listCreatedTests,
        { query: { searchQuery: sought, pageSize: MAX_PAGE_SIZE, editable: '1' } },
        { signal },
      ),
  });
  if (!data) {
    return (
      <Text size="sm" c="dimmed" py="xs" role="status">
        {problem === null ? 'Загружаем тесты' : describeFailure(problem)}
      </Text>
    );
  }
  const tests = data.items.filter(({ id }) => id !== except);
  if (tests.length === 0) {
    return (
      <Text size="sm" c="dimmed" py="xs" role="status">
        {sought === '' ? none : 'Ничего не найдено. Измените запрос.'}
      </Text>
    );
  }
  return (
    <>
      <Box component="ul" mt="sm">
        {tests.map(({ id, title, lifecycle, isOwn, owner }) => (
          <li key={id}>
            <ChoiceRow
              type="radio"
              name="target"
              className="line-below"
              py="0.375rem"
              checked={chosen?.id === id}
              onChange={() => onChoose({ id, title })}
            >
              <Flex
                component="span"
                flex={1}
                miw={0}
                wrap="wrap"
                align="center"
                gap="0.25rem 0.75rem"
              >
                <Box component="span" className="break-anywhere" flex="1 1 12rem" miw={0}>
                  {title}
                  {!isOwn && (
                    <Text span size="sm" c="dimmed" display="block">
                      {owner}
                    </Text>
                  )}
                </Box>
                <TestStatusPill status={lifecycle} />
              </Flex>
            </ChoiceRow>
          </li>
        ))}
      </Box>
      {data.total > data.items.length && (
        <Text size="sm" c="dimmed" py="xs">
          Показаны не все тесты: уточните название.
        </Text>
      )}
    </>
  );
}

/** Picks one of the tests that the teacher may edit; tests beyond the first page are found by searching. */
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
