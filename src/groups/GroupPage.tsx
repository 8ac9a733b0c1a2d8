import { useState } from 'react';
import type { PupilCard } from '#contract/groups.ts';
import { isNotFound } from '#app/offline/failure-words.ts';
import { QueryProblem } from '#app/offline/QueryProblem.tsx';
import { usePageQuery } from '#app/offline/use-page-query.ts';
import { EmptyState } from '#app/ui/EmptyState.tsx';
import { RowsSkeleton } from '#app/ui/RowsSkeleton.tsx';
import { GroupTitle } from './GroupTitle.tsx';
import classes from './GroupPage.module.css';
import { JoinCodePanel } from './JoinCodePanel.tsx';
import { Members } from './Members.tsx';
import { PupilCards } from './PupilCards.tsx';
import { groupQuery } from './queries.ts';
import type { Reset } from './use-reset-passwords.ts';

/** One class: its code, its members, and the cards right after passwords were made. */
export function GroupPage({ groupId, withOwner }: { groupId: string; withOwner: boolean }) {
  const { data, problem, retry } = usePageQuery(groupQuery(groupId));
  const [made, setMade] = useState<Reset | null>(null);
  const show = (cards: readonly PupilCard[]) => setMade({ cards, problem: null });

  if (data && made)
    return (
      <PupilCards
        cards={made.cards}
        problem={made.problem}
        group={data.name}
        onDone={() => setMade(null)}
      />
    );
  if (data)
    return (
      <div className={classes.page}>
        <GroupTitle group={data} withOwner={withOwner} />
        <div className={classes.code}>
          <JoinCodePanel groupId={groupId} name={data.name} joinCode={data.joinCode} />
        </div>
        <div className={classes.members}>
          <Members group={data} onMade={show} onReset={setMade} />
        </div>
      </div>
    );
  if (isNotFound(problem))
    return (
      <EmptyState heading="Такого класса нет">
        Его удалили, или он принадлежит другому преподавателю
      </EmptyState>
    );
  if (problem !== null) return <QueryProblem error={problem} onRetry={retry} />;
  return <RowsSkeleton />;
}
