import { bankSharesSql } from '#server/bank/shared.ts';

/** Whether the person of an SQL expression sent picture `p`, or got it with a question. */
export const hasPicture = (userId: string) => `(p.owner_id = ${userId} or exists (
  select 1 from picture_holders h where h.key = p.key and h.user_id = ${userId}))`;

/**
 * Whether picture `p` may stand in a question of a bank that is shared with the person of an SQL expression: its owner
 * has it, or a test of the owner shows it.
 */
export const isInSharedBank = (userId: string) => `exists (
  select 1 from ${bankSharesSql(userId)} b where ${hasPicture('b.owner_id')} or exists (
    select 1 from picture_uses pu join tests bt on bt.id = pu.test_id
    where pu.key = p.key and bt.owner_id = b.owner_id))`;
