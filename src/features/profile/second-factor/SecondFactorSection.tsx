import { Button, Group, Stack, Text } from '@mantine/core';
import {
  IconDeviceMobile,
  IconFingerprint,
  IconShieldCheck,
  IconShieldLock,
} from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  makeRecoveryCodes,
  removePasskey,
  removeTotp,
  startTotp,
  type Enrolled,
  type SecondFactor,
} from '#contract/second-factor.ts';
import type { ReplyOf } from '#contract/route.ts';
import { formatMoment } from '#domain/format-time.ts';
import { call } from '#app/api/call.ts';
import { useDevice, useShownZone } from '#app/lib/device-services.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { showReply } from '#app/lib/show-reply.ts';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { ConfirmModal } from '#app/ui/overlays/ConfirmModal.tsx';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { lazyPart } from '#app/ui/lazy/lazy-part.tsx';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import { secondFactorQuery, sessionsQuery } from '#app/features/profile/queries.ts';
import { RecoveryCodesModal } from './RecoveryCodesModal.tsx';
import { useDeviceKey } from './use-device-key.ts';

const TotpModal = lazyPart(
  () => import('./TotpModal.tsx'),
  (module) => module.TotpModal,
);
const PasskeyModal = lazyPart(
  () => import('./PasskeyModal.tsx'),
  (module) => module.PasskeyModal,
);

/** One second factor in the list. */
interface FactorMethod {
  key: string;
  name: string;
  createdAt: string;
  lastUsedAt: string | null;
  remove: () => Promise<SecondFactor>;
}

const methodsOf = ({ totp, passkeys }: SecondFactor): FactorMethod[] => [
  ...(totp
    ? [
        {
          key: 'totp',
          name: 'Приложение с кодами',
          ...totp,
          remove: () => call(removeTotp, {}),
        },
      ]
    : []),
  ...passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
    key: id,
    name: `Ключ входа «${name}»`,
    createdAt,
    lastUsedAt,
    remove: () => call(removePasskey, { params: { passkeyId: id } }),
  })),
];

function MethodRow({ method, onRemove }: { method: FactorMethod; onRemove: () => void }) {
  const { serverNow } = useDevice();
  const timeZone = useShownZone();
  const moment = (at: string) => formatMoment(new Date(at), serverNow(), timeZone);
  return (
    <Group
      component="li"
      justify="space-between"
      gap="0.5rem 1rem"
      mih="3.5rem"
      py="xs"
      className="line-below"
    >
      <Stack gap={2} miw={0} className="break-anywhere">
        <Text span inherit fw={500}>
          {method.name}
        </Text>
        <Text span size="sm" c="dimmed">
          Добавлено: {moment(method.createdAt)}.{' '}
          {method.lastUsedAt === null
            ? 'Ещё не использовалось'
            : `Последний раз: ${moment(method.lastUsedAt)}`}
        </Text>
      </Stack>
      <Button variant="default" size="sm" aria-label={`Удалить: ${method.name}`} onClick={onRemove}>
        Удалить
      </Button>
    </Group>
  );
}

function StateNote({ state, hasAny }: { state: SecondFactor; hasAny: boolean }) {
  if (!hasAny)
    return (
      <InlineNote tone={state.isRequired ? 'warn' : 'quiet'} icon={IconShieldLock}>
        {state.isRequired
          ? 'Школа требует вход в два шага. Добавьте приложение с кодами или ключ входа: после этого откроются остальные разделы.'
          : 'Сейчас для входа хватает пароля. Со вторым шагом учётная запись защищена, даже если пароль узнал кто-то другой. Когда вы его включите, на других устройствах придётся войти заново.'}
      </InlineNote>
    );
  if (state.recoveryCodesLeft === 0)
    return (
      <InlineNote tone="warn" icon={IconShieldLock}>
        Кодов восстановления не осталось. Сделайте новые: без них при потере телефона вход вернёт
        только администратор.
      </InlineNote>
    );
  return (
    <InlineNote tone="ok" icon={IconShieldCheck}>
      Вход в два шага включён. Осталось кодов восстановления: {state.recoveryCodesLeft}.
    </InlineNote>
  );
}

/** The open modal. */
type Opened =
  | { kind: 'totp'; started: ReplyOf<typeof startTotp> }
  | { kind: 'passkey' }
  | { kind: 'remove'; method: FactorMethod }
  | { kind: 'codes'; codes: string[] };

function Loaded({ state }: { state: SecondFactor }) {
  const client = useQueryClient();
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => setOpened(null);
  const take = (next: SecondFactor) => showReply(client, secondFactorQuery.queryKey, next);
  const onEnrolled = ({ state: next, recoveryCodes }: Enrolled) => {
    void take(next);
    void client.invalidateQueries(sessionsQuery);
    setOpened(recoveryCodes && { kind: 'codes', codes: recoveryCodes });
  };
  const beginTotp = useMutation({
    mutationFn: () => call(startTotp, {}),
    gcTime: 0,
    onSuccess: (started) => setOpened({ kind: 'totp', started }),
  });
  const renewCodes = useMutation({
    mutationFn: () => call(makeRecoveryCodes, {}),
    gcTime: 0,
    onSuccess: onEnrolled,
  });
  const remove = useMutation({
    mutationFn: (method: FactorMethod) => method.remove(),
    onSuccess: (next) => {
      void take(next);
      close();
    },
  });
  const methods = methodsOf(state);
  useDeviceKey(methods.length > 0);
  const failed = beginTotp.error ?? renewCodes.error;
  return (
    <>
      <StateNote state={state} hasAny={methods.length > 0} />
      {methods.length > 0 && (
        <ul className="line-above">
          {methods.map((method) => (
            <MethodRow
              key={method.key}
              method={method}
              onRemove={() => setOpened({ kind: 'remove', method })}
            />
          ))}
        </ul>
      )}
      <Group gap="xs" align="flex-start">
        <Button
          variant="default"
          leftSection={<Icon of={IconDeviceMobile} />}
          loading={beginTotp.isPending}
          onClick={() => beginTotp.mutate()}
        >
          {state.totp ? 'Сменить приложение с кодами' : 'Добавить приложение с кодами'}
        </Button>
        <Button
          variant="default"
          leftSection={<Icon of={IconFingerprint} />}
          onClick={() => setOpened({ kind: 'passkey' })}
        >
          Добавить ключ входа
        </Button>
        {methods.length > 0 && (
          <Button
            variant="default"
            loading={renewCodes.isPending}
            onClick={() => renewCodes.mutate()}
          >
            Новые коды восстановления
          </Button>
        )}
      </Group>
      <div role="alert">{failed && <FieldError>{describeFailure(failed)}</FieldError>}</div>
      {opened?.kind === 'totp' && (
        <TotpModal started={opened.started} onEnrolled={onEnrolled} onClose={close} />
      )}
      {opened?.kind === 'passkey' && <PasskeyModal onEnrolled={onEnrolled} onClose={close} />}
      <ConfirmModal
        opened={opened?.kind === 'remove'}
        title={opened?.kind === 'remove' ? `Удалить: ${opened.method.name}?` : ''}
        confirm="Удалить"
        cancel="Оставить"
        isBusy={remove.isPending}
        problem={remove.error && describeFailure(remove.error)}
        onConfirm={() => opened?.kind === 'remove' && remove.mutate(opened.method)}
        onClose={() => {
          remove.reset();
          close();
        }}
      >
        <p>
          {methods.length > 1
            ? 'Этим способом войти больше не получится. Остальные способы и коды восстановления останутся.'
            : 'Это последний способ: вход в два шага выключится вместе с кодами восстановления, и для входа хватит пароля.'}
        </p>
      </ConfirmModal>
      <RecoveryCodesModal codes={opened?.kind === 'codes' ? opened.codes : null} onClose={close} />
    </>
  );
}

/** The own second factors: list, add, remove. */
export function SecondFactorSection() {
  const { data, problem, retry } = usePageQuery(secondFactorQuery);
  if (problem !== null) return <QueryProblem error={problem} onRetry={retry} />;
  if (data === undefined) return <RowsSkeleton rows={2} />;
  return <Loaded state={data} />;
}
