import * as v from 'valibot';
import { addPasskey, PasskeyName, startPasskey, type Enrolled } from '#contract/second-factor.ts';
import { call } from '#app/api/call.ts';
import { canUsePasskeys, makePasskey } from '#app/lib/passkeys.ts';
import { useAppForm } from '#app/lib/use-app-form.ts';
import { AppForm } from '#app/ui/forms/AppForm.tsx';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { FormFoot } from '#app/ui/forms/FormFoot.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';

export interface PasskeyModalProps {
  onEnrolled: (enrolled: Enrolled) => void;
  onClose: () => void;
}

const Form = v.strictObject({ name: PasskeyName });

function PasskeyForm({ onEnrolled }: Pick<PasskeyModalProps, 'onEnrolled'>) {
  const form = useAppForm({
    schema: Form,
    initialValues: { name: '' },
    send: async ({ name }) => {
      const { challenge, options } = await call(startPasskey, {});
      const attestation = await makePasskey(options);
      onEnrolled(await call(addPasskey, { body: { challenge, name, attestation } }));
    },
  });
  return (
    <AppForm of={form}>
      <p>
        Ключ входа хранит телефон, компьютер или отдельная флешка-ключ. При входе вы подтверждаете
        его отпечатком, лицом или ПИН-кодом устройства; сайт их не видит.
      </p>
      <FormField
        of={form}
        name="name"
        data-autofocus
        label="Название"
        description="Чтобы отличить от других: «Рабочий ноутбук»"
        type="text"
        autoComplete="off"
      />
      <FormFoot of={form} label="Создать ключ" fullWidth />
    </AppForm>
  );
}

/** Creates a passkey. */
export function PasskeyModal({ onEnrolled, onClose }: PasskeyModalProps) {
  return (
    <Modal opened onClose={onClose} title="Новый ключ входа">
      {canUsePasskeys() ? (
        <PasskeyForm onEnrolled={onEnrolled} />
      ) : (
        <InlineNote tone="warn">
          Здесь ключи входа не работают: нужен современный браузер и адрес сайта с https. Добавьте
          приложение с кодами.
        </InlineNote>
      )}
    </Modal>
  );
}
