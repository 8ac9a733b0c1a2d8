import { Box, Button, Flex, Loader, Stack, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconFileImport,
  IconInfoCircle,
} from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { joinScan } from '#domain/handover.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { logProblem } from '#app/lib/log.ts';
import { QrSeries } from '#app/lib/qr-series/QrSeries.tsx';
import { QrSeriesCamera } from '#app/lib/qr-series/QrSeriesCamera.tsx';
import { MAX_SERIES_BYTES } from '#app/lib/qr-series/series-frame.ts';
import { useSession } from '#app/lib/session/session-context.ts';
import type { Handover } from '#app/outbox/handover.ts';
import type { Outbox } from '#app/outbox/outbox.ts';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { PickButton } from '#app/ui/forms/PickButton.tsx';
import { FullScreenBoard } from '#app/ui/overlays/FullScreenBoard.tsx';
import { readReceiptsFile } from './read-receipts-file.ts';

const NO_KEY =
  'На этом устройстве ответы не зашифровать, поэтому через камеру их не передать. Сохраните их в файл.';
const SIGNED_OUT =
  'Вход закончился, поэтому через камеру ответы не передать. Войдите снова, когда будет сеть, или сохраните ответы в файл.';
const TOO_MUCH = 'Ответов слишком много для камеры. Сохраните их в файл.';
const ONLY_FILES =
  'Осталось отправить только файлы, через камеру их не передать. Сохраните их в файл или дождитесь сети.';
const REFUSED =
  'Через камеру передавать нечего: оставшиеся ответы сервер не принял. Они на этом устройстве: сохраните их в файл и покажите преподавателю.';
const NOTHING_LEFT = 'Неотправленных ответов здесь нет.';
const FAILED =
  'Ответы не прочитать: устройство не отвечает. Не закрывайте страницу и повторите через минуту.';

/** What the camera of the teacher reads, or why there is nothing for it. */
type Scan = { readonly bytes: Uint8Array; readonly hasFiles: boolean } | { readonly why: string };

/** Refused answers, which no camera brings in, are not in the handover. */
function whyNothing({ files, isWhole }: Handover): string {
  if (files > 0) return ONLY_FILES;
  return isWhole ? NOTHING_LEFT : REFUSED;
}

async function makeScan(outbox: Outbox, owner: string | undefined): Promise<Scan> {
  if (owner === undefined) return { why: SIGNED_OUT };
  const handover = await (await outbox.handovers()).make('withoutFiles');
  if (!handover) return { why: NO_KEY };
  const [part] = handover.parts;
  if (!part || handover.portions === 0) return { why: whyNothing(handover) };
  const bytes = joinScan(handover.owner, part);
  if (handover.portions > 1 || bytes.length > MAX_SERIES_BYTES) return { why: TOO_MUCH };
  return { bytes, hasFiles: handover.files > 0 };
}

/** Codes that are shown when the sign-in ends stay: the teacher's sign-in brings them in. */
const staysShown = (former: Scan | null, made: Scan): boolean =>
  former !== null && 'bytes' in former && 'why' in made && made.why === SIGNED_OUT;

function useScan(outbox: Outbox): Scan | null {
  const owner = useSession()?.user.userId;
  const [scan, setScan] = useState<Scan | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void makeScan(outbox, owner)
      .catch((cause: unknown): Scan => {
        logProblem('Ответы не подготовить для камеры', { cause });
        return { why: FAILED };
      })
      .then((made) => {
        if (isCurrent) setScan((former) => (staysShown(former, made) ? former : made));
      });
    return () => {
      isCurrent = false;
    };
  }, [outbox, owner]);
  return scan;
}

function Shown({ scan, onRead }: { scan: Scan | null; onRead: () => void }) {
  if (scan === null) {
    return (
      <Stack align="center" role="status">
        <Loader aria-hidden />
        <Text>Готовим ответы…</Text>
      </Stack>
    );
  }
  if ('why' in scan) {
    return (
      <>
        <InlineNote tone="warn" icon={IconAlertTriangle} role="status">
          {scan.why}
        </InlineNote>
        {/* The answers may have left as a file. */}
        {scan.why !== NO_KEY && scan.why !== SIGNED_OUT && <ReadButton onRead={onRead} />}
      </>
    );
  }
  return (
    <>
      {/* A text above the codes would push their end off the screen: it is beside them, or else below. */}
      <Flex wrap="wrap-reverse" gap="md xl" align="center" justify="center" w="100%">
        <Stack flex="1 1 20rem" miw="min(16rem, 100%)" maw="36rem" align="center">
          <Text>
            Преподаватель открывает «Проверку» этого теста, раздел «Не дошло», нажимает «Принять
            через камеру…» и наводит камеру на этот экран. Ответы зашифрованы: прочитать их может
            только сервер школы.
          </Text>
          {scan.hasFiles && (
            <InlineNote tone="warn" icon={IconInfoCircle}>
              Фото и другие файлы через камеру не передаются. Они уйдут, когда будет сеть, или
              сохраните ответы в файл.
            </InlineNote>
          )}
        </Stack>
        <QrSeries bytes={scan.bytes} label="QR-коды с ответами для камеры преподавателя" />
      </Flex>
      <ReadButton onRead={onRead} />
    </>
  );
}

const ReadButton = ({ onRead }: { onRead: () => void }) => (
  <Button variant="default" onClick={onRead}>
    Прочитать подтверждение
  </Button>
);

/** `partial`: of other answers the device knows nothing yet. */
type Applied = 'accepted' | 'partial' | 'signedOut' | 'notOurs' | 'notReceipts' | 'failed';

const REFUSALS: Readonly<Record<Exclude<Applied, 'accepted' | 'partial'>, string>> = {
  signedOut:
    'Вход закончился, поэтому подтверждение не прочитать. Войдите снова, когда будет сеть: тогда ответы уйдут сами.',
  notOurs:
    'Это подтверждение не для ваших ответов, или оно повреждено. Попросите у преподавателя своё.',
  notReceipts:
    'Это не файл с подтверждением, или он повреждён. Нужен файл «Подтверждение, …», который сохранил преподаватель.',
  failed: 'Подтверждение не сохранилось: устройство не отвечает. Повторите через минуту.',
};

/** Applies all messages. A repeat changes nothing, so a message that does not open takes nothing back. */
async function applyAll(
  outbox: Outbox,
  owner: string | undefined,
  messages: readonly Uint8Array<ArrayBuffer>[],
): Promise<Applied> {
  if (owner === undefined) return 'signedOut';
  const handovers = await outbox.handovers();
  let isOurs = false;
  // A damaged one does not devalue the others.
  for (const message of messages) isOurs = (await handovers.apply(message)) !== null || isOurs;
  if (!isOurs) return 'notOurs';
  return (await outbox.unsentCount(owner)) > 0 ? 'partial' : 'accepted';
}

function useConfirmation(outbox: Outbox) {
  const owner = useSession()?.user.userId;
  const [applied, setApplied] = useState<Applied | null>(null);
  const settle = (outcome: Promise<Applied>) => {
    outcome.then(setApplied, (cause: unknown) => {
      logProblem('Подтверждение не сохранить', { cause });
      setApplied('failed');
    });
  };
  return {
    applied,
    reset: () => setApplied(null),
    onBytes: (bytes: Uint8Array) => settle(applyAll(outbox, owner, [Uint8Array.from(bytes)])),
    onFile: (file: File) => {
      setApplied(null);
      settle(
        readReceiptsFile(file).then((messages) =>
          messages === null ? 'notReceipts' : applyAll(outbox, owner, messages),
        ),
      );
    },
  };
}

function Confirmation({ outbox, onBack }: { outbox: Outbox; onBack: () => void }) {
  const { applied, reset, onBytes, onFile } = useConfirmation(outbox);
  if (applied === 'accepted') {
    return (
      <InlineNote tone="ok" icon={IconCircleCheck} role="status">
        Сервер школы получил ответы. Это видно и в окне «Где мои ответы».
      </InlineNote>
    );
  }
  if (applied === 'partial') {
    return (
      <InlineNote tone="warn" icon={IconInfoCircle} role="status">
        Подтверждение принято, но оно не обо всех ответах. Какие ещё не на сервере, видно в окне
        «Где мои ответы».
      </InlineNote>
    );
  }
  return (
    <>
      <Text maw="36rem">
        Преподаватель показывает подтверждение теми же кодами. Наведите на них камеру. Если камеры
        нет или она запрещена, попросите файл с подтверждением. Не получится и так, ничего
        страшного: подтверждение придёт, когда будет сеть.
      </Text>
      {applied !== null && (
        <InlineNote tone="warn" icon={IconAlertTriangle} role="status">
          {REFUSALS[applied]}
        </InlineNote>
      )}
      {applied !== null && <Button onClick={reset}>Прочитать ещё раз</Button>}
      <Box w="min(36rem, 100%)" ta="start">
        <QrSeriesCamera onBytes={onBytes} paused={applied !== null} />
      </Box>
      <PickButton
        variant="default"
        icon={IconFileImport}
        label="Файл с подтверждением"
        accept="application/json,.json,text/plain,.txt"
        onFiles={([file]) => onFile(file)}
      >
        Выбрать файл с подтверждением
      </PickButton>
      <Button variant="default" onClick={onBack}>
        Снова показать ответы
      </Button>
    </>
  );
}

/** Shows the answers that the server lacks to the teacher's camera, and reads the receipts that come back. */
export function ShowAnswers({ onClose }: { onClose: () => void }) {
  const { outbox } = useDevice();
  const scan = useScan(outbox);
  const [isReading, setReading] = useState(false);
  return (
    <FullScreenBoard
      heading={isReading ? 'Подтверждение' : 'Передать ответы через камеру'}
      onClose={onClose}
    >
      <Stack align="center" gap="md" w="100%">
        {isReading ? (
          <Confirmation outbox={outbox} onBack={() => setReading(false)} />
        ) : (
          <Shown scan={scan} onRead={() => setReading(true)} />
        )}
      </Stack>
    </FullScreenBoard>
  );
}
