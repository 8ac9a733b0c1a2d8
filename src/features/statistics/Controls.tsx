import { Box, Button, Group, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type TestAnalysis, exportStatistics } from '#contract/statistics.ts';
import { nameClasses } from '#domain/class-names.ts';
import { ATTEMPTS, formatCount } from '#domain/format.ts';
import { countedLabel } from '#domain/labels-statistics.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { fromBase64 } from '#domain/base64url.ts';
import { saveFile } from '#app/lib/files.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import { TrialsSwitch } from '#app/ui/data/TrialsSwitch.tsx';
import { useMedia } from '#app/ui/use-media.ts';
import { call } from '#app/api/call.ts';
import { type StatisticsSearch, chosenOf } from './statistics-search.ts';

/** Longer than the default timeout: thousands of attempts take time. */
const EXPORT_TIMEOUT_MS = 120_000;

/** Downloads the selected attempts as a file. Throws `ApiFailure`. */
async function saveStatistics(
  testId: string,
  search: StatisticsSearch,
  format: 'xlsx' | 'csv',
): Promise<void> {
  const file = await call(
    exportStatistics,
    { params: { id: testId }, query: { ...chosenOf(search), format } },
    { timeoutMs: EXPORT_TIMEOUT_MS },
  );
  saveFile(new Blob([fromBase64(file.content)], { type: file.mimeType }), file.fileName);
}

interface ControlsProps {
  testId: string;
  /** Undefined while it loads. */
  analysis: TestAnalysis | undefined;
  /** Number of trials, shown or not. */
  trials: number;
  search: StatisticsSearch;
  /** Changes parameters of the search. */
  onChange: (part: Record<string, unknown>) => void;
}

const ALL = 'all';
const FORMATS = ['xlsx', 'csv'] as const;

function Downloads({
  testId,
  search,
  isWide,
}: Pick<ControlsProps, 'testId' | 'search'> & { isWide: boolean }) {
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: (format: (typeof FORMATS)[number]) => saveStatistics(testId, search, format),
  });
  return (
    <>
      {FORMATS.map((format) => (
        <Button
          key={format}
          variant="default"
          flex={isWide ? undefined : '1 1 9rem'}
          px={isWide ? 'md' : 'xs'}
          loading={isPending && variables === format}
          leftSection={<Icon of={IconDownload} />}
          onClick={() => {
            if (!isPending) mutate(format);
          }}
        >
          Скачать {format.toUpperCase()}
        </Button>
      ))}
      <Text role="status" fz="sm" c="dimmed" display={isPending ? undefined : 'none'}>
        {isPending && 'Готовим файл'}
      </Text>
      {error && (
        <Box flex="1 0 100%">
          <InlineNote tone="bad" role="status">
            Файл не получен. {describeFailure(error)}
          </InlineNote>
        </Box>
      )}
    </>
  );
}

/** Filters of the attempts, and the export. */
export function Controls({ testId, analysis, trials, search, onChange }: ControlsProps) {
  const isWide = useMedia('(min-width: 640px)');
  const groups = analysis?.groups ?? [];
  const names = nameClasses(groups);
  const isUnknown = search.groupId && !groups.some(({ groupId }) => groupId === search.groupId);
  return (
    <Group gap="xs">
      <SelectField
        label="Класс"
        labelHidden
        native={!isWide}
        flex={{ base: '1 1 100%', sm: '1 1 12rem' }}
        maw={{ sm: '20rem' }}
        choices={[
          { value: ALL, label: 'Все классы' },
          ...groups.map(({ groupId, attempts }) => ({
            value: groupId,
            label: `${names.get(groupId)}, ${formatCount(attempts, ATTEMPTS)}`,
          })),
          ...(isUnknown ? [{ value: search.groupId ?? '', label: 'Другой класс' }] : []),
        ]}
        value={search.groupId ?? ALL}
        onChange={(value) => onChange({ groupId: value === ALL ? undefined : value })}
      />
      <SelectField
        label="Попытки"
        labelHidden
        native={!isWide}
        flex={{ base: '1 1 100%', sm: '1 1 12rem' }}
        maw={{ sm: '20rem' }}
        choices={[
          { value: ALL, label: 'Все попытки' },
          { value: 'counted', label: countedLabel(analysis?.countedAttempt ?? 'best') },
        ]}
        value={search.attempts ?? ALL}
        onChange={(value) => onChange({ attempts: value === 'counted' ? 'counted' : undefined })}
      />
      <Downloads testId={testId} search={search} isWide={isWide} />
      <TrialsSwitch
        count={trials}
        isShown={search.trials !== undefined}
        onChange={(isShown) => onChange({ trials: isShown ? '1' : undefined })}
      />
    </Group>
  );
}
