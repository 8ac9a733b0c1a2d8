import { IconAlertTriangle, IconReceipt } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { showJoinCode } from '#domain/join-codes.ts';
import { formatDocument, readDocument } from '#domain/receipt.ts';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { describeChanges } from './describe-changes.ts';
import { NOT_OPENED, receiptQuery } from './receipt-query.ts';
import { ReceiptLog } from './ReceiptLog.tsx';

/** For a grader: the code of the attempt's receipt, and whether anything changed since. */
export function ReceiptComparison({ attemptId }: { attemptId: string }) {
  const { data } = useQuery(receiptQuery(attemptId));
  if (data === null)
    return (
      <InlineNote icon={IconReceipt}>{NOT_OPENED} Сравнить ответы с ней пока нельзя.</InlineNote>
    );
  if (!data?.log) return null;
  const read = readDocument(formatDocument(data));
  if (typeof read === 'string') return null;
  const { isChanged, words } = describeChanges(read.facts, data.present);
  const { length, digest, isWhole } = data.log;
  const isFine = !isChanged && isWhole;
  return (
    <InlineNote tone={isFine ? 'quiet' : 'warn'} icon={isFine ? IconReceipt : IconAlertTriangle}>
      <p>
        Квитанция: код <b className="nowrap">{showJoinCode(data.code)}</b>, {words}.
      </p>
      <p>
        <ReceiptLog length={length} digest={digest} />
        {!isWhole && ' Журнал нарушен: запись в нём удалена или изменена.'}
      </p>
    </InlineNote>
  );
}
