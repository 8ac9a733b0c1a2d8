import { Box, Flex, Stack } from '@mantine/core';
import { useIsMutating } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { StudentCard } from '#contract/groups.ts';
import { isNotFound } from '#app/lib/failure-messages.ts';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { Announcer } from '#app/ui/Announcer.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { LeaveGuard } from '#app/ui/overlays/LeaveGuard.tsx';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import { useFocusAfter } from '#app/ui/use-focus-after.ts';
import { GroupTitle } from './GroupTitle.tsx';
import { JoinCodePanel } from './JoinCodePanel.tsx';
import { Members } from './Members.tsx';
import { CARDS_LOST, StudentCards } from './StudentCards.tsx';
import { cardsKey, groupQuery } from './queries.ts';
import type { Reset } from './use-reset-passwords.ts';

/** The cards of new passwords, and whether they were printed. */
function useCards() {
  const [made, setMade] = useState<Reset | null>(null);
  const [isPrinted, setPrinted] = useState(false);
  useEffect(() => {
    // The page cannot detect a cancelled print.
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
  const [spoken, setSpoken] = useState('');
  const [heading, focusHeading] = useFocusAfter<HTMLHeadingElement>();
  if (data && cards.made)
    return (
      <StudentCards
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
      <Stack>
        <GroupTitle group={data} withOwner={withOwner} onSpoken={setSpoken} />
        <Flex
          direction={{ base: 'column', md: 'row-reverse' }}
          align={{ md: 'flex-start' }}
          gap="md"
        >
          <Box flex="none" w={{ md: '22rem' }}>
            <JoinCodePanel
              groupId={groupId}
              name={data.name}
              joinCode={data.joinCode}
              onSpoken={setSpoken}
            />
          </Box>
          <Box flex={1} miw={0}>
            <Members
              group={data}
              heading={heading}
              onRemoved={focusHeading}
              onSpoken={setSpoken}
              onMade={(made: readonly StudentCard[]) => cards.show({ cards: made, problem: null })}
              onReset={cards.show}
            />
          </Box>
        </Flex>
        <Announcer words={spoken} />
      </Stack>
    );
  if (isNotFound(problem))
    return (
      <EmptyState heading="Такого класса нет">
        Его удалили, или его ведёт другой преподаватель и доступа у вас нет
      </EmptyState>
    );
  if (problem !== null) return <QueryProblem error={problem} onRetry={retry} />;
  return <RowsSkeleton />;
}

/** One class: join code, members, and the cards of new passwords. */
export function GroupPage({ groupId, withOwner }: { groupId: string; withOwner: boolean }) {
  const cards = useCards();
  // Pending passwords can only be shown on this page.
  const isMaking = useIsMutating({ mutationKey: cardsKey(groupId) }) > 0;
  return (
    <>
      <Shown groupId={groupId} withOwner={withOwner} cards={cards} />
      <LeaveGuard
        isDirty={isMaking || (cards.made !== null && !cards.isPrinted)}
        title={CARDS_LOST.title}
        message={CARDS_LOST.message}
        leave={CARDS_LOST.leave}
      />
    </>
  );
}
