import { Link, createFileRoute } from '@tanstack/react-router';
import { AuthPage } from '#app/features/session/AuthPage.tsx';
import { SignInForm } from '#app/features/session/SignInForm.tsx';
import { AttemptGuard } from './-shell/AttemptGuard.tsx';
import { useHasUnsent } from './-shell/use-has-unsent.ts';
import { useSignedIn } from './-shell/use-signed-in.ts';

export const Route = createFileRoute('/_public/login')({ component: LoginScreen });

function LoginScreen() {
  const search = Route.useSearch();
  const onSignedIn = useSignedIn(search.redirect_path);
  return (
    <AuthPage
      title="Вход"
      hasUnsent={useHasUnsent()}
      above={<AttemptGuard />}
      other={
        <>
          Нет учётной записи?{' '}
          <Link to="/registration" search={search}>
            Зарегистрироваться
          </Link>
        </>
      }
    >
      <SignInForm onSignedIn={onSignedIn} />
    </AuthPage>
  );
}
