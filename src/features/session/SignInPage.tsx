import type { ReactNode } from 'react';
import { AuthPage, type AuthPageProps } from './AuthPage.tsx';
import { SignInForm, type SignInFormProps } from './SignInForm.tsx';

export interface SignInPageProps
  extends SignInFormProps, Pick<AuthPageProps, 'above' | 'hasUnsent'> {
  /** The link to the registration. */
  registration: ReactNode;
}

/** The sign-in, as the app shows it and as the build paints it (ADR 14). */
export function SignInPage({ above, hasUnsent, registration, onSignedIn }: SignInPageProps) {
  return (
    <AuthPage
      title="Вход"
      hasUnsent={hasUnsent}
      above={above}
      other={<>Нет учётной записи? {registration}</>}
    >
      <SignInForm onSignedIn={onSignedIn} />
    </AuthPage>
  );
}
