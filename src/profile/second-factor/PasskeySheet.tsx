import * as v from 'valibot';
import { addPasskey, PasskeyName, startPasskey, type Enrolled } from '#contract/second-factor.ts';
import { call } from '#app/api/call.ts';
import { canUsePasskeys, makePasskey } from '#app/offline/passkeys.ts';
import { useSend } from '#app/offline/use-send.ts';
import { FormFoot } from '#app/ui/FormFoot.tsx';
import { InlineNote } from '#app/ui/InlineNote.tsx';
import { Sheet } from '#app/ui/Sheet.tsx';
import { TextField } from '#app/ui/TextField.tsx';
import { useFields } from '#app/ui/use-fields.ts';
import classes from '#app/profile/Profile.module.css';

export interface PasskeySheetProps {
  onEnrolled: (enrolled: Enrolled) => void;
  onClose: () => void;
}

const Form = v.strictObject({ name: PasskeyName });

function PasskeyForm({ onEnrolled }: Pick<PasskeySheetProps, 'onEnrolled'>) {
  const form = useFields(Form, { name: '' });
  const { submit, ...sending } = useSend({
    show: form.show,
    send: async () => {
      const named = form.check();
      if (named === null) return null;
      const { challenge, options } = await call(startPasskey, {});
      const attestation = await makePasskey(options);
      onEnrolled(await call(addPasskey, { body: { challenge, name: named.name, attestation } }));
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
      <p>
        Ключ входа хранит телефон, компьютер или отдельная флешка-ключ. При входе вы подтверждаете
        его отпечатком, лицом или ПИН-кодом устройства; сайт их не видит.
      </p>
      <TextField
        {...form.field('name')}
        data-autofocus
        label="Название"
        description="Чтобы отличить от других: «Рабочий ноутбук»"
        type="text"
        autoComplete="off"
      />
      <FormFoot label="Создать ключ" fullWidth {...sending} />
    </form>
  );
}

/** Makes a passkey. */
export function PasskeySheet({ onEnrolled, onClose }: PasskeySheetProps) {
  return (
    <Sheet opened onClose={onClose} title="Новый ключ входа">
      {canUsePasskeys() ? (
        <PasskeyForm onEnrolled={onEnrolled} />
      ) : (
        <InlineNote tone="warn">
          Здесь ключи входа не работают: нужен современный браузер и адрес сайта с https. Добавьте
          приложение с кодами.
        </InlineNote>
      )}
    </Sheet>
  );
}
