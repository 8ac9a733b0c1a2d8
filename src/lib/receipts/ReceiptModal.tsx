import { Button, Group, Stack, Text } from '@mantine/core';
import { IconCopy, IconDownload, IconPrinter, IconWifiOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { AttemptReceipt } from '#contract/receipts.ts';
import { showJoinCode } from '#domain/join-codes.ts';
import {
  formatDocument,
  packDocument,
  readDocument,
  type ChangingFacts,
  type PresentFacts,
} from '#domain/receipt.ts';
import { ApiFailure, isRefusal } from '#app/api/failure.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { saveFile } from '#app/lib/files.ts';
import { useCopied } from '#app/lib/use-copied.ts';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { PrintedPaper } from '#app/ui/data/PrintedPaper.tsx';
import { QrCode } from '#app/ui/data/QrCode.tsx';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { siteAddress } from '#app/ui/site.ts';
import { describeChanges } from './describe-changes.ts';
import { DecisionAwaited } from './DecisionAwaited.tsx';
import { loadReceiptKeys } from './receipt-keys.ts';
import { NOT_OPENED, receiptQuery } from './receipt-query.ts';
import { NOT_PROVEN, ReceiptRows } from './ReceiptRows.tsx';

interface Prepared {
  document: string;
  code: string;
  address: string;
}

function Actions({ document, code }: Prepared) {
  const { state, copy } = useCopied(document);
  const save = () =>
    saveFile(new Blob([document], { type: 'text/plain' }), `квитанция ${code}.txt`);
  return (
    <>
      <Group gap="xs" align="stretch" className="wide-on-phones">
        <Button leftSection={<Icon of={IconDownload} />} onClick={save}>
          Скачать файл
        </Button>
        <Button variant="default" leftSection={<Icon of={IconCopy} />} onClick={copy}>
          {state === 'copied' ? 'Скопировано' : 'Скопировать'}
        </Button>
        <Button
          variant="default"
          leftSection={<Icon of={IconPrinter} />}
          onClick={() => window.print()}
        >
          Напечатать
        </Button>
      </Group>
      <div role="alert">
        {state === 'failed' && (
          <FieldError>Скопировать не удалось. Скачайте квитанцию файлом</FieldError>
        )}
      </div>
    </>
  );
}

function Printed({ document, code, address }: Prepared) {
  return (
    <PrintedPaper>
      <h1>Квитанция {code}</h1>
      <pre style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{document}</pre>
      <QrCode w="7cm" h="7cm" text={address} label="QR-код квитанции" />
      <p>Проверить: {siteAddress()}/verify</p>
    </PrintedPaper>
  );
}

function Changed({ held, present }: { held: ChangingFacts; present: PresentFacts }) {
  const { isChanged, words } = describeChanges(held, present);
  return isChanged && <InlineNote tone="warn">Сравнение с попыткой: {words}.</InlineNote>;
}

function ShownReceipt({ receipt }: { receipt: AttemptReceipt }) {
  const document = formatDocument(receipt);
  const read = readDocument(document);
  const prepared = {
    document,
    code: showJoinCode(receipt.code),
    address: `${siteAddress()}/verify#${packDocument(document)}`,
  };
  return (
    <Stack>
      <div>
        <Text size="sm" c="dimmed">
          Контрольный код
        </Text>
        <Text fz="min(2rem, 11vw)" lh={1.2} fw={600} lts="0.04em" className="nowrap tabular">
          {prepared.code}
        </Text>
      </div>
      <QrCode
        w="min(100%, 20rem)"
        text={prepared.address}
        label="QR-код: открывает проверку этой квитанции"
      />
      {typeof read !== 'string' && (
        <>
          <ReceiptRows facts={read.facts} />
          <Changed held={read.facts} present={receipt.present} />
        </>
      )}
      <Actions {...prepared} />
      <InlineNote>{NOT_PROVEN}</InlineNote>
      <Link to="/verify" hash={packDocument(document)} className="tap self-start">
        Проверить квитанцию
      </Link>
      <Printed {...prepared} />
    </Stack>
  );
}

const isOffline = (problem: unknown) =>
  problem instanceof ApiFailure && problem.kind !== 'refused' && problem.kind !== 'malformed';

function AbsentReceipt({ problem, onRetry }: { problem: unknown; onRetry: () => void }) {
  return (
    <InlineNote
      tone="warn"
      icon={IconWifiOff}
      role="status"
      action={<QuietButton onClick={onRetry}>Повторить</QuietButton>}
    >
      {problem === null || isOffline(problem)
        ? 'Сети нет. Квитанция появится, когда сервер станет доступен: она делается из ответов, которые уже у школы.'
        : describeFailure(problem)}
    </InlineNote>
  );
}

export interface ReceiptModalProps {
  attemptId: string;
  onClose: () => void;
}

/** The receipt of an attempt: what it says, its code, and ways to take it along. */
export function ReceiptModal({ attemptId, onClose }: ReceiptModalProps) {
  const { data, problem, retry } = usePageQuery(receiptQuery(attemptId));
  const isMade = Boolean(data);
  // Stored now, so that the receipt can be checked without a network.
  useEffect(() => {
    if (isMade) void loadReceiptKeys();
  }, [isMade]);
  return (
    <Modal opened onClose={onClose} title="Квитанция">
      {data ? (
        <ShownReceipt receipt={data} />
      ) : data === null ? (
        <InlineNote>{NOT_OPENED} Здесь она появится, когда он её откроет.</InlineNote>
      ) : isRefusal(problem, 'BEGIN_HELD') ? (
        <DecisionAwaited />
      ) : problem !== null || !navigator.onLine ? (
        <AbsentReceipt problem={problem} onRetry={retry} />
      ) : (
        <RowsSkeleton rows={4} />
      )}
    </Modal>
  );
}
