import { Stack } from '@mantine/core';
import { FormError } from '@modular-forms/react';
import { IconClock } from '@tabler/icons-react';
import { useEffect, type ReactNode } from 'react';
import * as v from 'valibot';
import type { Offer } from '#contract/offers.ts';
import { formatDuration, formatMoment } from '#domain/format-time.ts';
import { grantedMs } from '#domain/deadline.ts';
import { parseDuration } from '#domain/duration.ts';
import { readJoinCode } from '#domain/join-codes.ts';
import { isWholeStartCode } from '#domain/start-code.ts';
import { useDevice, useShownZone } from '#app/lib/device-services.ts';
import { useAppForm } from '#app/lib/use-app-form.ts';
import { useNow } from '#app/lib/use-now.ts';
import { beginOffline } from '#app/offers/begin-offline.ts';
import { secondsToWait } from '#app/offers/guess-limit.ts';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { AppForm } from '#app/ui/forms/AppForm.tsx';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { FormFoot } from '#app/ui/forms/FormFoot.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { refusalMessage } from './messages.ts';

const EVERY_MS = 15_000;
const MINUTE_MS = 60_000;

/** «40 минут», or less if the test closes earlier: what a begin now would give. */
function formatGranted({ duration, endsAt }: Offer, now: number): string {
  const passMs = parseDuration(duration);
  const testEnd = endsAt === null ? null : Date.parse(endsAt);
  const granted = grantedMs({ startedAt: now, passMs, extraMs: 0, testEnd });
  if (granted === passMs) return formatDuration(passMs);
  // Rounded down: no minute is promised that the begin does not give.
  const whole = granted < MINUTE_MS ? granted : granted - (granted % MINUTE_MS);
  return `${formatDuration(whole)} вместо ${formatDuration(passMs)}, потому что тест закроется раньше`;
}

export interface BeginModalProps {
  owner: string;
  offer: Offer;
  /** Stands for the begin if it is too late for it. */
  ended: ReactNode;
  /** As far as is known: a start with a network is better. */
  isReachable: boolean;
  opened: boolean;
  onClose: () => void;
  onBegun: () => void;
}

const CodeForm = v.object({
  code: v.pipe(
    v.string(),
    v.maxLength(100, 'Код короче. Проверьте его'),
    v.transform(readJoinCode),
    v.check(isWholeStartCode, 'В коде 12 знаков: буквы и цифры. Проверьте его'),
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

function BeginForm({
  owner,
  offer,
  ended,
  isReachable,
  onBegun,
}: Omit<BeginModalProps, 'opened' | 'onClose'>) {
  const { outbox, storage, timeZone } = useDevice();
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
  const now = useNow(EVERY_MS);
  if (ended !== null) return ended;
  const isEarly = opensAt !== null && now < Date.parse(opensAt);
  return (
    <AppForm of={form}>
      <p>
        Время пойдёт сразу: {formatGranted(offer, now)}. Ответы хранятся на устройстве и уйдут сами,
        когда появится сеть.
      </p>
      {isReachable && !isEarly && (
        <InlineNote>
          Если сеть есть, закройте это окно и нажмите «Начать тест»: так преподаватель сразу увидит,
          что вы начали.
        </InlineNote>
      )}
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
