import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { addTimeToMany, type GrantedTime } from '#contract/board.ts';
import { call } from '#app/api/call.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { newId } from '#app/lib/new-id.ts';
import type { Grant } from './extra-time.ts';

/** A repeat of the same request reuses its idempotency key, so a lost reply is harmless. */
export function useKeyedGrant<T extends object>(
  send: (body: T & { key: string }) => Promise<GrantedTime>,
) {
  const last = useRef({ wanted: '', key: '' });
  return useMutation({
    mutationFn: (grant: T) => {
      const wanted = JSON.stringify(grant);
      if (last.current.wanted !== wanted) last.current = { wanted, key: newId() };
      return send({ key: last.current.key, ...grant });
    },
  });
}

/** Adds minutes. */
export const useGrant = (testId: string) =>
  useKeyedGrant<Omit<Grant, 'key'>>((body) =>
    call(addTimeToMany, { params: { id: testId }, body }),
  );

/** Why no time was added. Without a reply of the server the time may have been added. */
export const describeGrantFailure = (error: unknown): string =>
  error instanceof ApiFailure && error.kind !== 'refused'
    ? `${describeFailure(error)} Нажмите ещё раз: дважды время не прибавится.`
    : describeFailure(error);
