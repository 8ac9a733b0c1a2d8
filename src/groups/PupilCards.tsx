import { Button } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { PupilCard } from '#contract/groups.ts';
import { formatCount } from '#domain/format.ts';
import { GuardDialog } from '#app/ui/GuardDialog.tsx';
import { InlineNote } from '#app/ui/InlineNote.tsx';
import { PrintedCards } from '#app/ui/PrintedCards.tsx';
import classes from './PupilCards.module.css';

export interface PupilCardsProps {
  cards: readonly PupilCard[];
  group: string;
  /** What did not work out on the way here; null: everything did. */
  problem: string | null;
  /** Sent to a printer: they may be left without asking. */
  isPrinted: boolean;
  onDone: () => void;
}

/** What is asked before cards are left whose passwords nobody has. */
export const CARDS_LOST = {
  title: 'Уйти, не напечатав карточки?',
  words:
    'Пароли пропадут вместе с этой страницей. Чтобы выдать карточки потом, пароли придётся сбросить.',
  leave: 'Уйти без карточек',
};

/** New sign-ins with their passwords, which are in the memory of this page and nowhere else. */
export function PupilCards({ cards, group, problem, isPrinted, onDone }: PupilCardsProps) {
  const [isClosing, setClosing] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className={classes.cards} aria-labelledby="cards-heading">
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
      <div className={classes.buttons}>
        <Button
          leftSection={<IconPrinter size={20} stroke={1.75} aria-hidden />}
          onClick={() => window.print()}
        >
          Напечатать карточки
        </Button>
        <Button variant="default" onClick={() => (isPrinted ? onDone() : setClosing(true))}>
          К списку класса
        </Button>
      </div>
      <ul className={classes.list}>
        {cards.map(({ userId, userName, email, password }) => (
          <li key={userId} className={classes.row}>
            <span className={classes.name}>{userName}</span>
            <span className={classes.email}>{email}</span>
            <span className={classes.password}>{password}</span>
          </li>
        ))}
      </ul>
      <PrintedCards cards={cards} group={group} />
      {isClosing && (
        <GuardDialog
          {...CARDS_LOST}
          stay="Остаться"
          onStay={() => setClosing(false)}
          onLeave={onDone}
        />
      )}
    </section>
  );
}
