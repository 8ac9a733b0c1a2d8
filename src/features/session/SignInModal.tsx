import { Stack } from '@mantine/core';
import { useState } from 'react';
import { logout, type SignedIn } from '#contract/auth.ts';
import { call } from '#app/api/call.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { logProblem } from '#app/lib/log.ts';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { useSessionStore } from '#app/lib/session/session-context.ts';
import { signIn } from './sign-in.ts';
import { SignInForm } from './SignInForm.tsx';

export interface SignInModalProps {
  opened: boolean;
  onClose: () => void;
  /** Owner of the open attempt: only the same person may sign in here. */
  owner: string;
}

// The new session of another person must be ended on the server.
function endSession({ token }: SignedIn): void {
  call(logout, {}, { token }).catch((cause: unknown) =>
    logProblem('Чужой вход не отозвать', { cause }),
  );
}

/** Signs in again without leaving the page, so that unsent answers can be sent. */
export function SignInModal({ opened, onClose, owner }: SignInModalProps) {
  const session = useSessionStore();
  const [isOther, setIsOther] = useState(false);
  const { outbox } = useDevice();
  const onSignedIn = async (signedIn: SignedIn) => {
    if (signedIn.user.userId !== owner) {
      setIsOther(true);
      endSession(signedIn);
      return;
    }
    setIsOther(false);
    await signIn({ session, outbox }, signedIn);
    onClose();
  };
  return (
    <Modal opened={opened} onClose={onClose} title="Войдите снова">
      <Stack>
        <p>
          Вход закончился. Ответы сохраняются на этом устройстве и уйдут на сервер, как только вы
          войдёте. Отвечать можно и сейчас.
        </p>
        {isOther && (
          <InlineNote tone="warn" role="status">
            Этот тест проходит другой человек. Войдите под той учётной записью, под которой тест
            начат: только так ответы уйдут на сервер.
          </InlineNote>
        )}
        <SignInForm onSignedIn={onSignedIn} />
      </Stack>
    </Modal>
  );
}
