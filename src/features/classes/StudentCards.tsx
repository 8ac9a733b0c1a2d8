import { Box, Button, Flex, Group, Text } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { StudentCard } from '#contract/groups.ts';
import { formatCount } from '#domain/format.ts';
import { GuardDialog } from '#app/ui/overlays/GuardDialog.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { PrintedCards } from '#app/ui/data/PrintedCards.tsx';
import { cx } from '#app/ui/cx.ts';
import list from '#app/ui/data/list.module.css';

export interface StudentCardsProps {
  cards: readonly StudentCard[];
  group: string;
  /** Message about a partial failure; null: none. */
  problem: string | null;
  /** Printed: leaving needs no confirmation. */
  isPrinted: boolean;
  onDone: () => void;
}

/** Confirmation before leaving unprinted cards. */
export const CARDS_LOST = {
  title: 'Уйти, не напечатав карточки?',
  message:
    'Пароли пропадут вместе с этой страницей. Чтобы выдать карточки потом, пароли придётся сбросить.',
  leave: 'Уйти без карточек',
};

const COLUMNS = {
  '--phone-columns': 'minmax(0, 1fr)',
  '--columns': 'minmax(0, 1fr) minmax(0, 1.2fr) 9rem',
  '--row-gap': '0.125rem 1rem',
};

/** Cards with sign-ins and passwords, which exist only in this page's memory. */
export function StudentCards({ cards, group, problem, isPrinted, onDone }: StudentCardsProps) {
  const [isClosing, setClosing] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Flex component="section" direction="column" gap="md" pt={4} aria-labelledby="cards-heading">
      <h2 id="cards-heading" ref={heading} tabIndex={-1}>
        {formatCount(cards.length, ['карточка', 'карточки', 'карточек'])} для входа
      </h2>
      {problem !== null && (
        <InlineNote tone="bad" role="status">
          {problem}
        </InlineNote>
      )}
      <InlineNote tone="warn">
        Пароли есть только на этой странице: сайт их не хранит и больше не покажет. Напечатайте
        карточки сейчас. Если пароль потеряется, его можно сбросить.
      </InlineNote>
      <Group className="wide-on-phones" gap="xs">
        <Button leftSection={<Icon of={IconPrinter} />} onClick={() => window.print()}>
          Напечатать карточки
        </Button>
        <Button variant="default" onClick={() => (isPrinted ? onDone() : setClosing(true))}>
          К списку класса
        </Button>
      </Group>
      <Box component="ul" className={cx(list.list, 'line-above card-from-desktop')} style={COLUMNS}>
        {cards.map(({ userId, userName, email, password }) => (
          <li key={userId} className={cx(list.row, 'break-anywhere')}>
            <Text span inherit fw={500}>
              {userName}
            </Text>
            <Text span fz={15} c="dimmed">
              {email}
            </Text>
            <Text span inherit fw={600} lts="0.02em" className="tabular">
              {password}
            </Text>
          </li>
        ))}
      </Box>
      <PrintedCards cards={cards} group={group} />
      {isClosing && (
        <GuardDialog
          {...CARDS_LOST}
          stay="Остаться"
          onStay={() => setClosing(false)}
          onLeave={onDone}
        />
      )}
    </Flex>
  );
}
