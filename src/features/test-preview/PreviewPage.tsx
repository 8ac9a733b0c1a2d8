import { Flex, Group, Stack, Text } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import type { TestSettings } from '#contract/authoring.ts';
import type { Question } from '#contract/questions.ts';
import { parseDuration } from '#domain/duration.ts';
import { selectVariants } from '#domain/variants.ts';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import type { OnSearch } from '#app/lib/list/use-list.ts';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { QuestionPictures } from '#app/lib/pictures/QuestionPictures.tsx';
import { DeviceFrame } from '#app/ui/layout/DeviceFrame.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import { useMedia } from '#app/ui/use-media.ts';
import type { DraftEditor } from '#app/drafts/draft.ts';
import { previewQuestion } from '#app/questions/preview-question.ts';
import type { PreviewSearch } from './preview-search.ts';
import { PreviewTaking } from './PreviewTaking.tsx';
import { settingsQuery } from '#app/lib/teacher-queries.ts';
import { contentQuery } from './queries.ts';

const DEVICES = {
  phone: { label: 'Телефон', icon: IconDeviceMobile, width: 360, height: 720 },
  desktop: { label: 'Компьютер', icon: IconDeviceDesktop, width: 1280, height: 800 },
} as const;
type PreviewDevice = keyof typeof DEVICES;

/** The shown version; `only`: there is no other version. */
type Version = 'only' | 'draft' | 'published';

const WORDS: Readonly<Record<Version, { detail: string; note: string }>> = {
  only: { detail: 'предпросмотр', note: 'Так тест увидит ученик.' },
  draft: {
    detail: 'предпросмотр черновика',
    note: 'Показан черновик: в нём есть правки, которых ученики ещё не видят.',
  },
  published: {
    detail: 'предпросмотр опубликованного',
    note: 'Показано то, что опубликовано: без правок из черновика.',
  },
};

function Toggle<T extends string>({
  label,
  name,
  choices,
  value,
  onChange,
}: {
  label: string;
  name: string;
  choices: readonly { value: T; label: ReactNode }[];
  value: T;
  onChange: (value: T) => void;
}) {
  return (
    <Flex
      component="fieldset"
      display="inline-flex"
      wrap="wrap"
      gap={3}
      p={3}
      bd="1px solid var(--app-line)"
      bdrs="lg"
      aria-label={label}
    >
      {choices.map((choice) => (
        <Flex
          key={choice.value}
          component="label"
          pos="relative"
          align="center"
          gap="xs"
          mih={44}
          className="segment frame-of-focus"
        >
          <input
            type="radio"
            className="hit-area"
            name={name}
            checked={value === choice.value}
            onChange={() => onChange(choice.value)}
          />
          {choice.label}
        </Flex>
      ))}
    </Flex>
  );
}

const DEVICE_CHOICES = (Object.keys(DEVICES) as PreviewDevice[]).map((value) => {
  const { label, icon } = DEVICES[value];
  return {
    value,
    label: (
      <>
        <Icon of={icon} />
        {label}
      </>
    ),
  };
});

const VERSION_CHOICES = [
  { value: 'draft', label: 'Черновик' },
  { value: 'published', label: 'Как опубликовано' },
] as const;

interface FrameProps {
  test: Pick<TestSettings, 'id' | 'name' | 'passTestTime'>;
  device: PreviewDevice;
  version: Version;
}

function Frame({ test, device, version, keyed }: FrameProps & { keyed: readonly Question[] }) {
  const questions = useMemo(
    () => selectVariants(keyed, 0).map((question) => previewQuestion(question)),
    [keyed],
  );
  const { width, height } = DEVICES[device];
  if (questions.length === 0) return <NoQuestions testId={test.id} />;
  return (
    <DeviceFrame
      key={device}
      title={`Предпросмотр: ${DEVICES[device].label.toLowerCase()}`}
      width={width}
      height={height}
    >
      <QuestionPictures of={questions}>
        <PreviewTaking
          title={test.name}
          detail={WORDS[version].detail}
          passMs={parseDuration(test.passTestTime)}
          questions={questions}
        />
      </QuestionPictures>
    </DeviceFrame>
  );
}

/** The published version. */
function Published(props: FrameProps) {
  const { data, problem, retry } = usePageQuery(contentQuery(props.test.id));
  if (data) return <Frame {...props} keyed={data.questions} />;
  return problem === null ? <RowsSkeleton /> : <QueryProblem error={problem} onRetry={retry} />;
}

function NoQuestions({ testId }: { testId: string }) {
  return (
    <EmptyState
      heading="Показывать пока нечего"
      action={
        <Link to="/tests/manage/$testId/edit" params={{ testId }}>
          К содержанию теста
        </Link>
      }
    >
      В тесте ещё нет вопросов. Когда они появятся, здесь будет видно, каким тест получит ученик.
    </EmptyState>
  );
}

interface PreviewPageProps {
  testId: string;
  /** The working copy including unsent edits; null: not available. */
  draft: DraftEditor | null;
  /** Why it is not available. */
  problem: unknown;
  retry: () => void;
  /** State of the page from the URL. */
  search: PreviewSearch;
  onSearch: OnSearch<PreviewSearch>;
}

/**
 * The test as a student sees it, on a phone and on a desktop: the working copy, or the published version if it
 * differs.
 */
export function PreviewPage({ testId, draft, search, onSearch, ...opening }: PreviewPageProps) {
  const settings = usePageQuery(settingsQuery(testId));
  const isNarrow = useMedia('(max-width: 1023.98px)');
  const [device, setDevice] = useState<PreviewDevice>(isNarrow ? 'phone' : 'desktop');
  const test = settings.data;
  if (!draft || !test) {
    const problem = draft ? settings.problem : opening.problem;
    const retry = () => {
      opening.retry();
      settings.retry();
    };
    return problem === null ? <RowsSkeleton /> : <QueryProblem error={problem} onRetry={retry} />;
  }
  const shown = search.shown ?? 'draft';
  const version: Version = draft.hasUnpublished ? shown : 'only';
  if (version === 'only' && draft.questions.length === 0) return <NoQuestions testId={testId} />;
  const frame = { test, device, version };
  return (
    <Stack>
      <Group gap="0.5rem 1rem">
        <Toggle
          label="Экран"
          name="device"
          choices={DEVICE_CHOICES}
          value={device}
          onChange={setDevice}
        />
        {version !== 'only' && (
          <Toggle
            label="Какие вопросы показать"
            name="version"
            choices={VERSION_CHOICES}
            value={version}
            onChange={(next) =>
              onSearch(next === 'published' ? { shown: next } : {}, { replace: false })
            }
          />
        )}
        <Text role="status" fz="sm" c="dimmed">
          {WORDS[version].note} Отвечать можно: ничего не сохраняется.
        </Text>
      </Group>
      {version === 'published' ? (
        <Published {...frame} />
      ) : (
        <Frame {...frame} keyed={draft.questions} />
      )}
    </Stack>
  );
}
