import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { resetPupilPassword, type GroupMember, type PupilCard } from '#contract/groups.ts';
import { formatCount, PUPILS } from '#domain/format.ts';
import { call } from '#app/api/call.ts';
import { problemWords } from './problem-words.ts';
import { cardsKey } from './queries.ts';

export interface Reset {
  cards: readonly PupilCard[];
  /** Why some passwords are the old ones; null: all are new. */
  problem: string | null;
}

/** New passwords one after the other: what was done before a failure is shown all the same. */
async function resetAll(
  groupId: string,
  members: readonly GroupMember[],
  onStep: (done: number) => void,
): Promise<Reset> {
  const cards: PupilCard[] = [];
  for (const { userId } of members) {
    try {
      cards.push(await call(resetPupilPassword, { params: { groupId, userId } }));
    } catch (error) {
      if (cards.length === 0) throw error;
      const left = formatCount(members.length - cards.length, PUPILS);
      return { cards, problem: `${problemWords(error)} Осталось без новых карточек: ${left}.` };
    }
    onStep(cards.length);
  }
  return { cards, problem: null };
}

/** Resets the passwords of pupils of one class; `done` counts while it goes on. */
export function useResetPasswords(groupId: string, onReset: (reset: Reset) => void) {
  const [done, setDone] = useState(0);
  const mutation = useMutation({
    mutationKey: cardsKey(groupId),
    mutationFn: (members: readonly GroupMember[]) => {
      setDone(0);
      return resetAll(groupId, members, setDone);
    },
    // The passwords stay nowhere but on the page that shows them.
    gcTime: 0,
    onSuccess: onReset,
  });
  return { ...mutation, done };
}
