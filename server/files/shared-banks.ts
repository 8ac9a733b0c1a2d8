import { bankSharesSql } from '#server/bank/shared.ts';

/**
 * Whether picture `p` may stand in a question of a bank that is shared with the person of an SQL expression: its owner
 * sent it, or a test of the owner shows it.
 */
export const isInSharedBank = (userId: string) => `exists (
  select 1 from ${bankSharesSql(userId)} b where b.owner_id = p.owner_id or exists (
    select 1 from picture_uses pu join tests bt on bt.id = pu.test_id
    where pu.key = p.key and bt.owner_id = b.owner_id))`;
