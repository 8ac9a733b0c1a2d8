import { Flex, Text } from '@mantine/core';
import * as v from 'valibot';
import type { ReplyOf } from '#contract/route.ts';
import { confirmTotp, TotpCode, type Enrolled, type startTotp } from '#contract/second-factor.ts';
import { call } from '#app/api/call.ts';
import { useAppForm } from '#app/lib/use-app-form.ts';
import { AppForm } from '#app/ui/forms/AppForm.tsx';
import { CodeField } from '#app/ui/forms/CodeField.tsx';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { FormFoot } from '#app/ui/forms/FormFoot.tsx';
import { QrCode } from '#app/ui/data/QrCode.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';

export interface TotpModalProps {
  started: ReplyOf<typeof startTotp>;
  onEnrolled: (enrolled: Enrolled) => void;
  onClose: () => void;
}

const Form = v.strictObject({ code: TotpCode });

/** Groups the secret in fours for copying by hand. */
const inFours = (secret: string): string => (secret.match(/.{1,4}/g) ?? []).join(' ');

function TotpForm({ started, onEnrolled }: Omit<TotpModalProps, 'onClose'>) {
  const { challenge, secret, uri } = started;
  const form = useAppForm({
    schema: Form,
    initialValues: { code: '' },
    send: async ({ code }) => onEnrolled(await call(confirmTotp, { body: { challenge, code } })),
  });
  return (
    <AppForm of={form}>
      <Flex component="ol" direction="column" gap="xs" ps={20} style={{ listStyle: 'decimal' }}>
        <li>
          Откройте на телефоне приложение с кодами: Яндекс Ключ, Google Authenticator или любое
          другое.
        </li>
        <li>Добавьте в нём учётную запись и наведите камеру на этот рисунок.</li>
      </Flex>
      <QrCode
        w="12rem"
        h="12rem"
        className="self-center"
        text={uri}
        label="QR-код для приложения с кодами; то же самое написано ниже текстом"
      />
      <Text size="sm" c="dimmed">
        Если камеры нет, введите в приложении этот ключ:{' '}
        <code className="break-anywhere" style={{ hyphens: 'none' }}>
          {inFours(secret)}
        </code>
      </Text>
      <FormField
        of={form}
        component={CodeField}
        name="code"
        data-autofocus
        kind="digits"
        label="Код из приложения"
        description="Шесть цифр, которые приложение показывает сейчас"
      />
      <FormFoot of={form} label="Включить" fullWidth />
    </AppForm>
  );
}

/** Sets up an authenticator app. */
export function TotpModal({ onClose, ...form }: TotpModalProps) {
  return (
    <Modal opened onClose={onClose} title="Приложение с кодами">
      <TotpForm {...form} />
    </Modal>
  );
}
