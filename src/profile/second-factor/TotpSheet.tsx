import * as v from 'valibot';
import type { ReplyOf } from '#contract/route.ts';
import { confirmTotp, TotpCode, type Enrolled, type startTotp } from '#contract/second-factor.ts';
import { call } from '#app/api/call.ts';
import { useSend } from '#app/offline/use-send.ts';
import { CodeField } from '#app/ui/CodeField.tsx';
import { FormFoot } from '#app/ui/FormFoot.tsx';
import { QrCode } from '#app/ui/QrCode.tsx';
import { Sheet } from '#app/ui/Sheet.tsx';
import { useFields } from '#app/ui/use-fields.ts';
import classes from '#app/profile/Profile.module.css';

export interface TotpSheetProps {
  started: ReplyOf<typeof startTotp>;
  onEnrolled: (enrolled: Enrolled) => void;
  onClose: () => void;
}

const Form = v.strictObject({ code: TotpCode });

/** `ABCDEFGH` as people copy it by hand: in fours. */
const inFours = (secret: string): string => (secret.match(/.{1,4}/g) ?? []).join(' ');

function TotpForm({ started, onEnrolled }: Omit<TotpSheetProps, 'onClose'>) {
  const { challenge, secret, uri } = started;
  const form = useFields(Form, { code: '' });
  const { submit, ...sending } = useSend({
    show: form.show,
    send: async () => {
      const body = form.check();
      if (body === null) return null;
      onEnrolled(await call(confirmTotp, { body: { challenge, code: body.code } }));
      return null;
    },
  });
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <ol className={classes.steps}>
        <li>
          Откройте на телефоне приложение с кодами: Яндекс Ключ, Google Authenticator или любое
          другое.
        </li>
        <li>Добавьте в нём учётную запись и наведите камеру на этот рисунок.</li>
      </ol>
      <QrCode
        className={classes.qr}
        text={uri}
        label="QR-код для приложения с кодами; то же самое написано ниже текстом"
      />
      <p className={classes.quiet}>
        Если камеры нет, введите в приложении этот ключ:{' '}
        <code className={classes.secret}>{inFours(secret)}</code>
      </p>
      <CodeField
        {...form.field('code')}
        data-autofocus
        kind="digits"
        label="Код из приложения"
        description="Шесть цифр, которые приложение показывает сейчас"
      />
      <FormFoot label="Включить" fullWidth {...sending} />
    </form>
  );
}

/** Sets an authenticator app up. */
export function TotpSheet({ onClose, ...form }: TotpSheetProps) {
  return (
    <Sheet opened onClose={onClose} title="Приложение с кодами">
      <TotpForm {...form} />
    </Sheet>
  );
}
