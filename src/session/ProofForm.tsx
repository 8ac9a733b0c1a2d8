import { Button } from '@mantine/core';
import { focus } from '@modular-forms/react';
import { IconFingerprint } from '@tabler/icons-react';
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
import { ApiFailure } from '#app/api/failure.ts';
import { failureWords } from '#app/offline/failure-words.ts';
import { askPasskey, canUsePasskeys } from '#app/offline/passkeys.ts';
import { CodeField } from '#app/ui/CodeField.tsx';
import { FieldError } from '#app/ui/FieldError.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { useSignalValue } from '#app/ui/use-signal-value.ts';
import classes from './AuthForm.module.css';
import { FormField } from './FormField.tsx';
import { SubmitRow } from './SubmitRow.tsx';
import { useAuthForm } from './use-auth-form.ts';

/** What is shown of who one is. */
export type Proof = CallInput<typeof confirmIdentity>['body']['proof'];

export interface ProofFormProps {
  step: FactorStep;
  submitLabel: string;
  /** Rejects with `ApiFailure`. */
  send: (proof: Proof) => Promise<void>;
  /** The step has to be begun anew. */
  onStepOver: () => void;
}

interface PasskeyButtonProps extends Pick<ProofFormProps, 'send'> {
  request: PasskeyRequest;
}

function PasskeyButton({ request, send }: PasskeyButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => button.current?.focus(), []);
  const prove = async () => {
    setBusy(true);
    setProblem(null);
    try {
      await send({ method: 'passkey', assertion: await askPasskey(request) });
    } catch (error) {
      setProblem(failureWords(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button
        ref={button}
        fullWidth
        loading={isBusy}
        leftSection={<IconFingerprint size={20} stroke={1.75} aria-hidden />}
        onClick={() => void prove()}
      >
        Использовать ключ входа
      </Button>
      <div role="alert">{problem !== null && <FieldError>{problem}</FieldError>}</div>
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
    description: 'Двенадцать знаков из списка, который вы сохранили; каждый код действует один раз',
    kind: 'signs',
  },
} as const;

function CodeForm({ method, submitLabel, send }: TypedFormProps & { method: 'totp' | 'recovery' }) {
  const { schema, label, description, kind } = FIELDS[method];
  const { form, Form, Field, problem, submit } = useAuthForm(schema, { code: '' }, ({ code }) =>
    send({ method, code }),
  );
  const isSending = useSignalValue(form.submitting);
  useEffect(() => focus(form, 'code'), [form]);
  return (
    <Form onSubmit={submit} className={classes.form} noValidate>
      <Field name="code">
        {(field, inputProps) => (
          <SignalCodeField
            field={field}
            inputProps={inputProps}
            label={label}
            description={description}
            kind={kind}
          />
        )}
      </Field>
      <SubmitRow label={submitLabel} isSending={isSending} problem={problem} />
    </Form>
  );
}

type SignalCodeFieldProps = Pick<Parameters<typeof FormField>[0], 'field' | 'inputProps'> &
  Pick<Parameters<typeof CodeField>[0], 'label' | 'description' | 'kind'>;

function SignalCodeField({ field, inputProps, ...shown }: SignalCodeFieldProps) {
  return (
    <CodeField
      {...inputProps}
      {...shown}
      value={useSignalValue(field.value) ?? ''}
      error={useSignalValue(field.error)}
      required
    />
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
  const { form, Form, Field, problem, submit } = useAuthForm(
    PasswordSchema,
    { password: '' },
    ({ password }) => send({ method: 'password', password }),
  );
  const isSending = useSignalValue(form.submitting);
  useEffect(() => focus(form, 'password'), [form]);
  return (
    <Form onSubmit={submit} className={classes.form} noValidate>
      <Field name="password">
        {(field, inputProps) => (
          <FormField
            field={field}
            inputProps={inputProps}
            label="Ваш пароль"
            type="password"
            autoComplete="current-password"
          />
        )}
      </Field>
      <SubmitRow label={submitLabel} isSending={isSending} problem={problem} />
    </Form>
  );
}

const SWITCHES: Readonly<Record<FactorMethod, string>> = {
  passkey: 'Использовать ключ входа',
  totp: 'Ввести код из приложения',
  recovery: 'Ввести код восстановления',
  password: 'Ввести пароль',
};

/** Lets a person prove who he is by whatever he has set up, one way at a time. */
export function ProofForm({ step, submitLabel, send, onStepOver }: ProofFormProps) {
  const canPasskey = canUsePasskeys();
  const methods = step.methods.filter((method) => method !== 'passkey' || canPasskey);
  const [method, setMethod] = useState(methods[0]);
  const sendProof = async (proof: Proof) => {
    try {
      await send(proof);
    } catch (error) {
      if (error instanceof ApiFailure && error.code === 'FACTOR_STEP_OVER') onStepOver();
      throw error;
    }
  };
  const form = { submitLabel, send: sendProof };
  return (
    <div className={classes.form}>
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
    </div>
  );
}
