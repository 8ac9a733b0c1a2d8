import { Button, Stack, Text } from '@mantine/core';
import { IconCheck, IconKey } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { rotateReceiptKey, type ReceiptKey } from '#contract/receipts.ts';
import { formatDay, formatMoment } from '#domain/format-time.ts';
import { call } from '#app/api/call.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { queryKeys } from '#app/lib/query-keys.ts';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { DefinitionRows } from '#app/ui/data/DefinitionRows.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { ConfirmModal } from '#app/ui/overlays/ConfirmModal.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { problemMessage } from './messages.ts';
import { receiptKeysQuery } from './queries.ts';

function FormerKeys({ keys }: { keys: readonly ReceiptKey[] }) {
  const { serverNow, timeZone } = useDevice();
  const day = (iso: string) => formatDay(new Date(iso), serverNow(), timeZone);
  return (
    <section>
      <h3>Прежние ключи</h3>
      <Text size="sm" c="dimmed">
        Квитанции с ними действительны.
      </Text>
      <DefinitionRows
        rows={keys.map(({ id, madeAt, retiredAt }) => ({
          label: id,
          value: `${day(madeAt)} – ${day(retiredAt ?? madeAt)}`,
        }))}
      />
    </section>
  );
}

function PresentKey({ id, madeAt }: ReceiptKey) {
  const { serverNow, timeZone } = useDevice();
  return (
    <DefinitionRows
      rows={[
        { label: 'Нынешний ключ', value: id },
        {
          label: 'Подписывает с',
          value: formatMoment(new Date(madeAt), serverNow(), timeZone),
        },
      ]}
    />
  );
}

/** Asks, then makes the server sign with a new key. */
function useRotation() {
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const rotate = useMutation({
    mutationFn: () => call(rotateReceiptKey, {}),
    onSuccess: () => setAsking(false),
    // A reply may be lost after the key was changed.
    onSettled: () =>
      Promise.all([
        client.invalidateQueries(receiptKeysQuery),
        client.invalidateQueries({ queryKey: queryKeys.audit }),
      ]),
  });
  return {
    isAsking,
    rotate,
    ask: () => {
      rotate.reset();
      setAsking(true);
    },
    cancel: () => setAsking(false),
  };
}

function Keys({ keys }: { keys: readonly ReceiptKey[] }) {
  const { isAsking, rotate, ask, cancel } = useRotation();
  const present = keys.find(({ retiredAt }) => retiredAt === null);
  const former = keys.filter(({ retiredAt }) => retiredAt !== null);
  return (
    <Stack>
      <p>Этим ключом школа подписывает квитанции. Номер ключа стоит в каждой из них.</p>
      {present && (
        <>
          <PresentKey {...present} />
          <Button variant="default" leftSection={<Icon of={IconKey} />} onClick={ask}>
            Сменить ключ квитанций
          </Button>
        </>
      )}
      <div role="status">
        {rotate.isSuccess && (
          <InlineNote tone="ok" icon={IconCheck}>
            Ключ сменён. Новые квитанции подписывает ключ {rotate.data.keyId}.
          </InlineNote>
        )}
      </div>
      {former.length > 0 && <FormerKeys keys={former} />}
      <ConfirmModal
        opened={isAsking}
        title="Сменить ключ квитанций?"
        confirm="Сменить ключ"
        cancel="Оставить прежний"
        isBusy={rotate.isPending}
        problem={problemMessage(rotate.error)}
        onConfirm={() => rotate.mutate()}
        onClose={cancel}
      >
        <Stack gap="sm">
          <p>Новые квитанции подпишет новый ключ. Вернуть прежний нельзя.</p>
          <p>
            Выданные квитанции останутся действительны. Устройства узнают новый ключ сами, когда
            откроют квитанцию или её проверку при сети.
          </p>
        </Stack>
      </ConfirmModal>
    </Stack>
  );
}

function Content() {
  const { data, problem, retry } = usePageQuery(receiptKeysQuery);
  if (data === undefined)
    return problem === null ? (
      <RowsSkeleton rows={2} />
    ) : (
      <QueryProblem error={problem} onRetry={retry} />
    );
  return <Keys keys={data.keys} />;
}

/** The keys that sign receipts, and the change to a new one. */
export function ReceiptKeysModal({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Ключ квитанций">
      <Content />
    </Modal>
  );
}
