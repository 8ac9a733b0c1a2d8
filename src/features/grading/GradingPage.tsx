import { Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { IconFileImport, IconQrcode } from '@tabler/icons-react';
import { nameClasses } from '#domain/class-names.ts';
import { createFormDraftStore } from '#app/lib/form-draft.ts';
import { classesQuery } from '#app/lib/school-queries.ts';
import { settingsQuery } from '#app/lib/teacher-queries.ts';
import type { OnSearch } from '#app/lib/list/use-list.ts';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import { TrialsSwitch } from '#app/ui/data/TrialsSwitch.tsx';
import { lazyPart } from '#app/ui/lazy/lazy-part.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { AnswersView } from './AnswersView.tsx';
import { openDrafts, StoredGrades } from './drafts.ts';
import { FailedGrades } from './FailedGrades.tsx';
import type { GradingSearch } from './grading-search.ts';
import { HeldBegins } from './HeldBegins.tsx';
import { HeldView } from './HeldView.tsx';
import { MissingView } from './MissingView.tsx';
import { countsQuery, holdsQuery, scopeOf } from './queries.ts';
import { useFailures, type FailedGrade } from './use-failures.ts';
import { RescueModal } from './RescueModal.tsx';

const ReceiveByCamera = lazyPart(
  () => import('./ReceiveByCamera.tsx'),
  (module) => module.ReceiveByCamera,
);

/** Ways for answers that did not come over the network. */
function HandoverEntry({ testId }: { testId: string }) {
  const [open, setOpen] = useState<'file' | 'camera' | null>(null);
  const close = () => setOpen(null);
  return (
    <Group gap="0 1.5rem" maw="48rem">
      <QuietButton icon={IconFileImport} onClick={() => setOpen('file')}>
        Ответы из файла…
      </QuietButton>
      <QuietButton icon={IconQrcode} onClick={() => setOpen('camera')}>
        Принять через камеру…
      </QuietButton>
      <RescueModal testId={testId} opened={open === 'file'} onClose={close} />
      {open === 'camera' && <ReceiveByCamera onClose={close} />}
    </Group>
  );
}

export interface GradingPageProps {
  testId: string;
  /** The person for whom drafts are loaded. */
  viewerId: string;
  /** State of the page from the URL. */
  search: GradingSearch;
  onSearch: OnSearch<GradingSearch>;
}

type View = 'answers' | 'held' | 'missing';

const VIEWS: readonly { view: View; label: string }[] = [
  { view: 'answers', label: 'Ответы' },
  { view: 'held', label: 'Поздние' },
  { view: 'missing', label: 'Не дошло' },
];

function Views({
  view,
  counts,
  onView,
}: {
  view: View;
  counts: Readonly<Record<View, number>> | null;
  onView: (view: View) => void;
}) {
  return (
    <Group gap="xs" align="stretch" role="group" aria-label="Что показать">
      {VIEWS.map((each) => (
        <UnstyledButton
          key={each.view}
          className="tap choice"
          bg={view === each.view ? 'var(--app-primary-soft)' : 'var(--app-surface)'}
          style={{ gap: '0.5rem' }}
          mih="var(--app-button-sm)"
          px={14}
          aria-pressed={view === each.view}
          onClick={() => onView(each.view)}
        >
          {each.label}
          {counts !== null && counts[each.view] > 0 && (
            <Text span inherit fw={600} className="tabular">
              {counts[each.view]}
            </Text>
          )}
        </UnstyledButton>
      ))}
    </Group>
  );
}

/** Undecided begins without a network; other tests than those with this setting have none. */
function useWaitingBegins(testId: string, search: GradingSearch): number {
  const mayBegin = useQuery(settingsQuery(testId)).data?.offlineStart === true;
  const isShown = search.view === 'held';
  const { data } = useQuery({ ...holdsQuery(testId, search), enabled: mayBegin || isShown });
  return data?.items.filter(({ decision }) => decision === null).length ?? 0;
}

/** Ungraded answers, held ones and missing ones; the current view is in the URL. */
export function GradingPage({ testId, viewerId, search, onSearch }: GradingPageProps) {
  const view = search.view ?? 'answers';
  const groupId = search.class;
  const [drafts] = useState(() =>
    openDrafts(createFormDraftStore({ kind: 'grading', owner: viewerId, testId }, StoredGrades)),
  );
  const failures = useFailures();
  const counts = useQuery(countsQuery(testId, search)).data;
  const waitingBegins = useWaitingBegins(testId, search);
  const groups = useQuery(classesQuery).data?.items ?? [];
  const scope = scopeOf(search);
  const scopeKey = JSON.stringify(scope);
  const chooseClass = (value: string) => {
    const { class: _, item: __, ...rest } = search;
    onSearch(value === '' ? rest : { ...rest, class: value }, { replace: false });
  };
  // The queue of all answers of its attempt contains it regardless of the filters.
  const openFailed = ({ item, submitted }: FailedGrade) =>
    onSearch({ attemptId: submitted.entry.attemptId, item }, { replace: false });
  return (
    <Stack>
      <Group gap="0.5rem 1rem">
        <Views
          view={view}
          counts={
            counts
              ? {
                  answers: counts.total,
                  held: counts.held + waitingBegins,
                  missing: counts.missing,
                }
              : null
          }
          onView={(next) =>
            onSearch(next === 'answers' ? scope : { view: next, ...scope }, {
              replace: false,
            })
          }
        />
        {(groups.length > 0 || groupId !== undefined) && (
          <SelectField
            label="Класс"
            labelHidden
            native
            flex="1 1 9rem"
            maw="14rem"
            choices={[
              { value: '', label: 'Все классы' },
              ...[...nameClasses(groups)].map(([value, label]) => ({ value, label })),
            ]}
            value={groupId ?? ''}
            onChange={chooseClass}
          />
        )}
        <TrialsSwitch
          count={counts?.trials ?? 0}
          isShown={search.trials !== undefined}
          onChange={(isShown) => {
            const { trials: _, item: __, ...rest } = search;
            onSearch(isShown ? { ...rest, trials: '1' } : rest, { replace: false });
          }}
        />
      </Group>
      {view === 'answers' && (
        <AnswersView
          key={[scopeKey, search.attemptId, search.questionId, search.show].join()}
          testId={testId}
          search={search}
          onSearch={onSearch}
          drafts={drafts}
          failures={failures}
          onFailed={openFailed}
          questions={counts?.questions ?? []}
        />
      )}
      {view !== 'answers' && (
        <FailedGrades
          testId={testId}
          drafts={drafts}
          failures={failures}
          except={null}
          onBack={openFailed}
          onSaved={() => undefined}
        />
      )}
      {view === 'held' && <HeldBegins key={`begins ${scopeKey}`} testId={testId} search={search} />}
      {view === 'held' && <HeldView key={scopeKey} testId={testId} search={search} />}
      {view === 'missing' && <MissingView key={scopeKey} testId={testId} search={search} />}
      {view !== 'answers' && <HandoverEntry testId={testId} />}
    </Stack>
  );
}
