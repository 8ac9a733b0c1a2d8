import { useState } from 'react';
import { logout, type SignedIn } from '#contract/auth.ts';
import { call } from '#app/api/call.ts';
import { useDevice } from '#app/offline/device-context.ts';
import { logProblem } from '#app/offline/log.ts';
import { InlineNote } from '#app/ui/InlineNote.tsx';
import { Sheet } from '#app/ui/Sheet.tsx';
import classes from './AuthForm.module.css';
import { useSessionStore } from './session-context.ts';
import { signIn } from './sign-in.ts';
import { SignInForm } from './SignInForm.tsx';

export interface SignInSheetProps {
  opened: boolean;
  onClose: () => void;
  /** Whose attempt is open: only the same person goes on here. */
  owner: string;
}

// The server's session of somebody who does not stay must not live on.
function giveBack({ token }: SignedIn): void {
  call(logout, {}, { token }).catch((cause: unknown) =>
    logProblem('Чужой вход не отозвать', { cause }),
  );
}

/** Signing in again without leaving the page, so that what waits can be sent. */
export function SignInSheet({ opened, onClose, owner }: SignInSheetProps) {
  const session = useSessionStore();
  const [isOther, setIsOther] = useState(false);
  const { outbox } = useDevice();
  const onSignedIn = async (signedIn: SignedIn) => {
    if (signedIn.user.userId !== owner) {
      setIsOther(true);
      giveBack(signedIn);
      return;
    }
    setIsOther(false);
    await signIn({ session, outbox }, signedIn);
    onClose();
  };
  return (
    <Sheet opened={opened} onClose={onClose} title="Войдите снова">
      <div className={classes.form}>
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
      </div>
    </Sheet>
  );
}
