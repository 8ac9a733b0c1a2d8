import { Button, Stack } from '@mantine/core';
import { focus } from '@modular-forms/react';
import { IconFingerprint } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import * as v from 'valibot';
import type { CallInput } from '#contract/route.ts';
import {
  type confirmIdentity,
  type FactorMethod,
  type FactorStep,
  type PasskeyRequest,
  RecoveryCode,
  TotpCode,
} from '#contract/second-factor.ts';
import { isRefusal } from '#app/api/failure.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { useAppForm } from '#app/lib/use-app-form.ts';
import { requestAssertion, canUsePasskeys } from '#app/lib/passkeys.ts';
import { AppForm } from '#app/ui/forms/AppForm.tsx';
import { CodeField } from '#app/ui/forms/CodeField.tsx';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { FormFoot } from '#app/ui/forms/FormFoot.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { signInMessage } from './sign-in-message.ts';

/** The proof of identity. */
export type Proof = CallInput<typeof confirmIdentity>['body']['proof'];

export interface ProofFormProps {
  step: FactorStep;
  submitLabel: string;
  /** Rejects with `ApiFailure`. */
  send: (proof: Proof) => Promise<void>;
  /** Called when the step has expired and must be restarted. */
  onStepOver: () => void;
}

interface PasskeyButtonProps extends Pick<ProofFormProps, 'send'> {
  request: PasskeyRequest;
}

function PasskeyButton({ request, send }: PasskeyButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => send({ method: 'passkey', assertion: await requestAssertion(request) }),
  });
  useEffect(() => button.current?.focus(), []);
  return (
    <>
      <Button
        ref={button}
        fullWidth
        loading={isPending}
        leftSection={<Icon of={IconFingerprint} />}
        onClick={() => mutate()}
      >
        Использовать ключ входа
      </Button>
      <div role="alert">{error && <FieldError>{describeFailure(error)}</FieldError>}</div>
    </>
  );
}

type TypedFormProps = Pick<ProofFormProps, 'submitLabel' | 'send'>;

const FIELDS = {
  totp: {
    schema: v.strictObject({ code: TotpCode }),
    label: 'Код из приложения',
    description: 'Шесть цифр; каждые полминуты новые',
    kind: 'digits',
  },
  recovery: {
    schema: v.strictObject({ code: RecoveryCode }),
    label: 'Код восстановления',
    description:
      'Двадцать четыре знака из списка, который вы сохранили; каждый код действует один раз',
    kind: 'signs',
  },
} as const;

function CodeForm({ method, submitLabel, send }: TypedFormProps & { method: 'totp' | 'recovery' }) {
  const { schema, ...shown } = FIELDS[method];
  const form = useAppForm({
    schema,
    initialValues: { code: '' },
    toMessage: signInMessage,
    send: ({ code }) => send({ method, code }),
  });
  useEffect(() => focus(form.store, 'code'), [form.store]);
  return (
    <AppForm of={form}>
      <FormField of={form} component={CodeField} name="code" required {...shown} />
      <FormFoot of={form} label={submitLabel} fullWidth />
    </AppForm>
  );
}

const PasswordSchema = v.strictObject({
  password: v.pipe(
    v.string(),
    v.nonEmpty('Введите пароль'),
    v.maxLength(200, 'Пароль слишком длинный'),
  ),
});

function PasswordProof({ submitLabel, send }: TypedFormProps) {
  const form = useAppForm({
    schema: PasswordSchema,
    initialValues: { password: '' },
    toMessage: signInMessage,
    send: ({ password }) => send({ method: 'password', password }),
  });
  useEffect(() => focus(form.store, 'password'), [form.store]);
  return (
    <AppForm of={form}>
      <FormField
        of={form}
        name="password"
        required
        label="Ваш пароль"
        type="password"
        autoComplete="current-password"
      />
      <FormFoot of={form} label={submitLabel} fullWidth />
    </AppForm>
  );
}

const SWITCHES: Readonly<Record<FactorMethod, string>> = {
  passkey: 'Использовать ключ входа',
  totp: 'Ввести код из приложения',
  recovery: 'Ввести код восстановления',
  password: 'Ввести пароль',
};

/** Asks for a proof of identity by one of the person's methods at a time. */
export function ProofForm({ step, submitLabel, send, onStepOver }: ProofFormProps) {
  const canPasskey = canUsePasskeys();
  const methods = step.methods.filter((method) => method !== 'passkey' || canPasskey);
  const [method, setMethod] = useState(methods[0]);
  const sendProof = async (proof: Proof) => {
    try {
      await send(proof);
    } catch (error) {
      if (isRefusal(error, 'FACTOR_STEP_OVER')) onStepOver();
      throw error;
    }
  };
  const form = { submitLabel, send: sendProof };
  return (
    <Stack>
      {step.passkey && !canPasskey && (
        <p>
          Ключи входа здесь не работают: нужен современный браузер и адрес сайта с https.
          {methods.length > 0 && ' Подтвердите другим способом.'}
        </p>
      )}
      {method === 'passkey' && step.passkey && (
        <PasskeyButton request={step.passkey} send={sendProof} />
      )}
      {(method === 'totp' || method === 'recovery') && (
        <CodeForm key={method} method={method} {...form} />
      )}
      {method === 'password' && <PasswordProof {...form} />}
      {methods
        .filter((other) => other !== method)
        .map((other) => (
          <QuietButton key={other} onClick={() => setMethod(other)}>
            {SWITCHES[other]}
          </QuietButton>
        ))}
    </Stack>
  );
}
