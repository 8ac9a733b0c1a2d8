import { Stack } from '@mantine/core';
import { FormError } from '@modular-forms/react';
import { IconClock } from '@tabler/icons-react';
import { useEffect } from 'react';
import * as v from 'valibot';
import type { Offer } from '#contract/offers.ts';
import { formatDuration, formatMoment } from '#domain/format-time.ts';
import { parseDuration } from '#domain/duration.ts';
import { readJoinCode } from '#domain/join-codes.ts';
import { isWholeStartCode } from '#domain/start-code.ts';
import { useDevice, useShownZone } from '#app/lib/device-services.ts';
import { useAppForm } from '#app/lib/use-app-form.ts';
import { beginOffline } from '#app/offers/begin-offline.ts';
import { secondsToWait } from '#app/offers/guess-limit.ts';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { AppForm } from '#app/ui/forms/AppForm.tsx';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { FormFoot } from '#app/ui/forms/FormFoot.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { refusalMessage } from './messages.ts';

export interface BeginModalProps {
  owner: string;
  offer: Offer;
  opened: boolean;
  onClose: () => void;
  onBegun: () => void;
}

const CodeForm = v.object({
  code: v.pipe(
    v.string(),
    v.maxLength(100, 'Код короче. Проверьте его'),
    v.transform(readJoinCode),
    v.check(isWholeStartCode, 'В коде 12 знаков: латинские буквы и цифры. Проверьте его'),
  ),
});

/** Asks for the start code, and begins the test on this device. */
export function BeginModal({ opened, onClose, ...form }: BeginModalProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Начать без сети">
      <BeginForm {...form} />
    </Modal>
  );
}

function BeginForm({ owner, offer, onBegun }: Omit<BeginModalProps, 'opened' | 'onClose'>) {
  const { outbox, storage, timeZone, serverNow } = useDevice();
  const shownZone = useShownZone();
  const { offerId, testId, opensAt } = offer;
  useEffect(() => {
    // The wait that an earlier page left begins now, and not with the first try.
    secondsToWait(owner, offerId).catch(() => undefined);
  }, [owner, offerId]);
  const form = useAppForm({
    schema: CodeForm,
    initialValues: { code: '' },
    send: async ({ code }) => {
      const outcome = await beginOffline({ outbox, storage, timeZone }, owner, testId, code);
      if (outcome.kind === 'begun') onBegun();
      else throw new FormError<{ code: string }>({ code: refusalMessage(outcome) });
    },
  });
  const now = serverNow();
  const isEarly = opensAt !== null && now < Date.parse(opensAt);
  return (
    <AppForm of={form}>
      <p>
        Время пойдёт сразу: {formatDuration(parseDuration(offer.duration))}. Ответы хранятся на
        устройстве и уйдут сами, когда появится сеть.
      </p>
      {isEarly && (
        <InlineNote icon={IconClock} tone="warn">
          По часам этого устройства тест откроется {formatMoment(new Date(opensAt), now, shownZone)}
          . Если начать раньше, начало проверит преподаватель.
        </InlineNote>
      )}
      <FormField
        of={form}
        name="code"
        label="Код начала"
        description="Его показывает преподаватель. Можно писать русскими буквами, с пробелами и без них"
        type="text"
        size="lg"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        data-autofocus
      />
      <Stack>
        <FormFoot of={form} label="Начать" fullWidth />
      </Stack>
    </AppForm>
  );
}
