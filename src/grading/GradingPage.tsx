import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SelectField } from '#app/ui/SelectField.tsx';
import { TrialsSwitch } from '#app/ui/TrialsSwitch.tsx';
import { AnswersView } from './AnswersView.tsx';
import { openDrafts } from './drafts.ts';
import { FailedGrades } from './FailedGrades.tsx';
import { scopeOf, type GradingSearch, type OnSearch } from './grading-search.ts';
import classes from './grading.module.css';
import { HeldView } from './HeldView.tsx';
import { MissingView } from './MissingView.tsx';
import { classesQuery, countsQuery } from './queries.ts';
import { RescueEntry } from './RescueEntry.tsx';
import { useFailures, type FailedGrade } from './use-failures.ts';

export interface GradingPageProps {
  testId: string;
  /** Whose drafts are kept. */
  viewerId: string;
  /** What the URL says. */
  search: GradingSearch;
  onSearch: OnSearch;
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
    <div className={classes.views} role="group" aria-label="Что показать">
      {VIEWS.map((each) => (
        <button
          key={each.view}
          type="button"
          className={classes.view}
          aria-pressed={view === each.view}
          onClick={() => onView(each.view)}
        >
          {each.label}
          {counts !== null && counts[each.view] > 0 && (
            <span className={classes.count}>{counts[each.view]}</span>
          )}
        </button>
      ))}
    </div>
  );
}

/** Answers that wait for a grade, held ones, and what never came; which of them stands in the URL. */
export function GradingPage({ testId, viewerId, search, onSearch }: GradingPageProps) {
  const view = search.view ?? 'answers';
  const groupId = search.class;
  const [drafts] = useState(() => openDrafts(`${viewerId}:${testId}`, window.sessionStorage));
  const failures = useFailures();
  const counts = useQuery(countsQuery(testId, search)).data;
  const groups = useQuery(classesQuery).data?.items ?? [];
  const scope = scopeOf(search);
  const scopeKey = JSON.stringify(scope);
  const chooseClass = (value: string) => {
    const { class: _, item: __, ...rest } = search;
    onSearch(value === '' ? rest : { ...rest, class: value }, { replace: false });
  };
  // Among all answers of its attempt it is found whatever the filters are.
  const openFailed = ({ item, given }: FailedGrade) =>
    onSearch({ attemptId: given.entry.attemptId, item }, { replace: false });
  return (
    <div className={classes.page}>
      <div className={classes.top}>
        <Views
          view={view}
          counts={
            counts ? { answers: counts.total, held: counts.held, missing: counts.missing } : null
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
            className={classes.class}
            choices={[
              { value: '', label: 'Все классы' },
              ...groups.map((group) => ({ value: group.groupId, label: group.name })),
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
      </div>
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
      {view === 'held' && <HeldView key={scopeKey} testId={testId} search={search} />}
      {view === 'missing' && <MissingView key={scopeKey} testId={testId} search={search} />}
      {view !== 'answers' && <RescueEntry testId={testId} />}
    </div>
  );
}
