import { formatCount, type Forms } from '#domain/format.ts';
import { showJoinCode } from '#domain/join-codes.ts';
import { shortLogDigest } from '#domain/receipt.ts';

const ENTRIES: Forms = ['запись', 'записи', 'записей'];

export interface ReceiptLogProps {
  length: number;
  /** Base64url. */
  digest: string;
}

/** The state of the log of receipts: the short digest can be read aloud, the whole one decides. */
export function ReceiptLog({ length, digest }: ReceiptLogProps) {
  return (
    <>
      Журнал квитанций: {formatCount(length, ENTRIES)}, контрольная сумма{' '}
      <b className="nowrap">{showJoinCode(shortLogDigest(digest))}</b>, целиком{' '}
      <span className="break-anywhere">{digest}</span>.
    </>
  );
}
