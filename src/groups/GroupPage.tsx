import { useIsMutating } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { PupilCard } from '#contract/groups.ts';
import { isNotFound } from '#app/offline/failure-words.ts';
import { QueryProblem } from '#app/offline/QueryProblem.tsx';
import { usePageQuery } from '#app/offline/use-page-query.ts';
import { EmptyState } from '#app/ui/EmptyState.tsx';
import { LeaveGuard } from '#app/ui/LeaveGuard.tsx';
import { RowsSkeleton } from '#app/ui/RowsSkeleton.tsx';
import { useFocusAfter } from '#app/ui/use-focus-after.ts';
import { GroupTitle } from './GroupTitle.tsx';
import classes from './GroupPage.module.css';
import { JoinCodePanel } from './JoinCodePanel.tsx';
import { Members } from './Members.tsx';
import { CARDS_LOST, PupilCards } from './PupilCards.tsx';
import { cardsKey, groupQuery } from './queries.ts';
import type { Reset } from './use-reset-passwords.ts';

/** The cards right after passwords were made, and whether they were sent to a printer. */
function useCards() {
  const [made, setMade] = useState<Reset | null>(null);
  const [isPrinted, setPrinted] = useState(false);
  useEffect(() => {
    // A cancelled print looks the same to a page.
    const done = () => setPrinted(true);
    window.addEventListener('afterprint', done);
    return () => window.removeEventListener('afterprint', done);
  }, []);
  return {
    made,
    isPrinted,
    show: (reset: Reset) => {
      setPrinted(false);
      setMade(reset);
    },
    hide: () => setMade(null),
  };
}

type Cards = ReturnType<typeof useCards>;

function Shown({
  groupId,
  withOwner,
  cards,
}: {
  groupId: string;
  withOwner: boolean;
  cards: Cards;
}) {
  const { data, problem, retry } = usePageQuery(groupQuery(groupId));
  const [heading, focusHeading] = useFocusAfter<HTMLHeadingElement>();
  if (data && cards.made)
    return (
      <PupilCards
        cards={cards.made.cards}
        problem={cards.made.problem}
        group={data.name}
        isPrinted={cards.isPrinted}
        onDone={() => {
          cards.hide();
          focusHeading();
        }}
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
          <Members
            group={data}
            heading={heading}
            onRemoved={focusHeading}
            onMade={(made: readonly PupilCard[]) => cards.show({ cards: made, problem: null })}
            onReset={cards.show}
          />
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

/** One class: its code, its members, and the cards right after passwords were made. */
export function GroupPage({ groupId, withOwner }: { groupId: string; withOwner: boolean }) {
  const cards = useCards();
  // Passwords that are on their way have no other place to come to than this page.
  const isMaking = useIsMutating({ mutationKey: cardsKey(groupId) }) > 0;
  return (
    <>
      <Shown groupId={groupId} withOwner={withOwner} cards={cards} />
      <LeaveGuard
        isDirty={isMaking || (cards.made !== null && !cards.isPrinted)}
        title={CARDS_LOST.title}
        words={CARDS_LOST.words}
        leave={CARDS_LOST.leave}
      />
    </>
  );
}
