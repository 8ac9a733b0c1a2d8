import { Link, createFileRoute } from '@tanstack/react-router';
import { AuthPage } from '#app/session/AuthPage.tsx';
import { RegistrationForm } from '#app/session/RegistrationForm.tsx';
import { useHasUnsent } from './-shell/use-has-unsent.ts';
import { useSignedIn } from './-shell/use-signed-in.ts';

export const Route = createFileRoute('/_public/registration')({ component: RegistrationScreen });

function RegistrationScreen() {
  const search = Route.useSearch();
  const onSignedIn = useSignedIn(search.redirect_path);
  return (
    <AuthPage
      title="Регистрация"
      hasUnsent={useHasUnsent()}
      other={
        <>
          Уже есть учётная запись?{' '}
          <Link to="/login" search={search}>
            Войти
          </Link>
        </>
      }
    >
      <RegistrationForm onSignedIn={onSignedIn} />
    </AuthPage>
  );
}
