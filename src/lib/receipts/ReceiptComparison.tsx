import { IconAlertTriangle, IconReceipt } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { showJoinCode } from '#domain/join-codes.ts';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { NOT_OPENED, receiptQuery } from './receipt-query.ts';
import { ReceiptLog } from './ReceiptLog.tsx';

/** For a grader: the code of the attempt's receipt, and whether anything changed since. */
export function ReceiptComparison({ attemptId }: { attemptId: string }) {
  const { data } = useQuery(receiptQuery(attemptId));
  if (data === null)
    return (
      <InlineNote icon={IconReceipt}>{NOT_OPENED} Сравнить ответы с ней пока нельзя.</InlineNote>
    );
  if (!data?.comparison) return null;
  const { answersMatch, isLogWhole, logLength, logDigest } = data.comparison;
  const isFine = answersMatch && isLogWhole;
  return (
    <InlineNote tone={isFine ? 'quiet' : 'warn'} icon={isFine ? IconReceipt : IconAlertTriangle}>
      <p>
        Квитанция: код <b className="nowrap">{showJoinCode(data.code)}</b>,{' '}
        {answersMatch ? 'с квитанции ответы не менялись' : 'после квитанции изменились ответы'}.
      </p>
      <p>
        <ReceiptLog length={logLength} digest={logDigest} />
        {!isLogWhole && ' Журнал нарушен: запись в нём удалена или изменена.'}
      </p>
    </InlineNote>
  );
}
