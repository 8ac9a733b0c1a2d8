import { Button, Flex, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { fromBase64 } from '#domain/base64url.ts';
import { splitScan } from '#domain/handover.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { QrSeries } from '#app/lib/qr-series/QrSeries.tsx';
import { QrSeriesCamera } from '#app/lib/qr-series/QrSeriesCamera.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { FullScreenBoard } from '#app/ui/overlays/FullScreenBoard.tsx';
import { bringPart, formatHandover, hasReceipts, isAllAccepted } from './handover.ts';
import { renewMarks } from './queries.ts';
import { SaveReceipts } from './SaveReceipts.tsx';

/** The codes that were read are no answers; the message is for the teacher. */
class ForeignCodes extends Error {}

async function bringScan(bytes: Uint8Array) {
  const scan = splitScan(bytes);
  if (!scan)
    throw new ForeignCodes(
      'Это не ответы ученика. Пусть он нажмёт «Передать ответы через камеру».',
    );
  const reply = await bringPart(scan.owner, scan.part);
  const { userName, receipts, unmade } = reply;
  return {
    owner: scan.owner,
    userName,
    words: formatHandover(reply),
    isWhole: unmade === 0,
    isAccepted: isAllAccepted(reply),
    receipts: hasReceipts(reply) ? { text: receipts, bytes: fromBase64(receipts) } : null,
  };
}

/** Reads the answers from the screens of one student after another, and shows each the receipts. */
export function ReceiveByCamera({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [owners, setOwners] = useState<ReadonlySet<string>>(new Set());
  const bring = useMutation({
    mutationFn: bringScan,
    onSuccess: ({ owner, receipts }) => {
      if (receipts) setOwners((before) => new Set([...before, owner]));
    },
    onSettled: () => renewMarks(client),
  });
  const { data, error, variables } = bring;
  const receipts = data?.receipts;
  return (
    <FullScreenBoard heading="Принять ответы через камеру" onClose={onClose}>
      {!receipts && (
        <Text maw="40rem">
          Ученик нажимает «Передать ответы через камеру» и держит экран перед камерой. Эта кнопка
          есть после завершения теста и в окне «Где мои ответы»: его открывает состояние ответов
          вверху экрана. Если камеры у вас нет, пусть он сохранит ответы в файл: нажмите «Ответы из
          файла…».
        </Text>
      )}
      <Flex gap="lg" wrap="wrap" justify="center" w="100%" ta="start">
        <Stack w="min(32rem, 100%)">
          {/* The codes take its place, so that they are in sight; it stays open for the next student. */}
          <div hidden={receipts != null}>
            <QrSeriesCamera onBytes={(bytes) => bring.mutate(bytes)} paused={!bring.isIdle} />
          </div>
          {receipts && (
            <QrSeries bytes={receipts.bytes} label="QR-коды с подтверждением для ученика" />
          )}
        </Stack>
        <Stack flex="1 1 20rem" miw="min(16rem, 100%)" maw="32rem">
          <div role="status">
            {owners.size > 1 && <Text fw={600}>Всего учеников: {owners.size}</Text>}
            {bring.isPending && <Text>Передаём ответы на сервер…</Text>}
            {data && (
              <InlineNote
                tone={data.isAccepted ? 'ok' : 'warn'}
                icon={data.isAccepted ? IconCircleCheck : IconAlertTriangle}
              >
                {data.words}
              </InlineNote>
            )}
          </div>
          <div role="alert">
            {error && (
              <InlineNote tone="bad" icon={IconAlertTriangle}>
                {error instanceof ForeignCodes ? error.message : describeFailure(error)}
              </InlineNote>
            )}
          </div>
          {data && !data.isWhole && variables && (
            <Button onClick={() => bring.mutate(variables)}>Повторить</Button>
          )}
          {(data || error) && (
            <Button variant={data && !data.isWhole ? 'default' : 'filled'} onClick={bring.reset}>
              {data ? 'Следующий ученик' : 'Прочитать ещё раз'}
            </Button>
          )}
          {receipts && (
            <>
              <Text size="sm" c="dimmed">
                Подтверждение: ученик нажимает «Прочитать подтверждение» и наводит камеру на эти
                коды. Можно и без него: оно придёт по сети.
              </Text>
              <SaveReceipts userName={data.userName} receipts={[receipts.text]} />
            </>
          )}
        </Stack>
      </Flex>
    </FullScreenBoard>
  );
}
