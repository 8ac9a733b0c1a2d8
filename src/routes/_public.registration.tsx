import { useQuery } from '@tanstack/react-query';
import { Link, createFileRoute } from '@tanstack/react-router';
import { AuthPage } from '#app/session/AuthPage.tsx';
import { registrationQuery } from '#app/session/registration-query.ts';
import { RegistrationForm } from '#app/session/RegistrationForm.tsx';
import { useHasUnsent } from './-shell/use-has-unsent.ts';
import { useSignedIn } from './-shell/use-signed-in.ts';

export const Route = createFileRoute('/_public/registration')({ component: RegistrationScreen });

/** A visitor who came by the link of a class has its code already. */
const joinCodeOf = (path = ''): string => /^\/join\/(\w{1,20})$/.exec(path)?.[1] ?? '';

function RegistrationScreen() {
  const search = Route.useSearch();
  const onSignedIn = useSignedIn(search.redirect_path);
  const { data } = useQuery(registrationQuery);
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
      <RegistrationForm
        registration={data?.registration}
        joinCode={joinCodeOf(search.redirect_path)}
        onSignedIn={onSignedIn}
      />
    </AuthPage>
  );
}
