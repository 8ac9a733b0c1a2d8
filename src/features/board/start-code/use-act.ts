import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  changeStartCode,
  makeClassCode,
  removeClassCode,
  renewStartCode,
  revealStartCode,
} from '#contract/offers.ts';
import { call } from '#app/api/call.ts';
import { showReply } from '#app/lib/show-reply.ts';
import { ofCode, renewStartCodes, startCodeQuery, type ChosenCode } from './queries.ts';

/** What the teacher can do with a code. */
export type CodeAct =
  | { readonly kind: 'show' | 'renew' }
  | { readonly kind: 'showFrom'; readonly showFrom: string | null }
  | { readonly kind: 'make' | 'remove'; readonly groupId: string };

const send = (code: ChosenCode, act: CodeAct) => {
  const of = ofCode(code);
  if (act.kind === 'make' || act.kind === 'remove') {
    const params = { id: code.testId, groupId: act.groupId };
    return call(act.kind === 'make' ? makeClassCode : removeClassCode, { params });
  }
  if (act.kind === 'showFrom')
    return call(changeStartCode, { ...of, body: { showFrom: act.showFrom } });
  return call(act.kind === 'show' ? revealStartCode : renewStartCode, of);
};

/** Changes a code of a test. A code of a class that is made or removed changes the counts of the test's code too. */
export function useAct(code: ChosenCode) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (act: CodeAct) => send(code, act),
    onSuccess: async (reply, { kind }) => {
      if ('madeAt' in reply) await showReply(client, startCodeQuery(code).queryKey, reply);
      if (kind === 'make' || kind === 'remove') await renewStartCodes(client);
    },
    onError: () => renewStartCodes(client),
  });
}
