import { useQuery, queryOptions } from '@tanstack/react-query';
import { Link, createFileRoute } from '@tanstack/react-router';
import { AuthPage } from '#app/features/session/AuthPage.tsx';
import { RegistrationForm } from '#app/features/session/RegistrationForm.tsx';
import { useHasUnsent } from './-shell/use-has-unsent.ts';
import { useSignedIn } from './-shell/use-signed-in.ts';
import { health } from '#contract/health.ts';
import { call } from '#app/api/call.ts';

/** The registration mode of the school. */
const registrationQuery = queryOptions({
  queryKey: ['registration'],
  queryFn: ({ signal }) => call(health, {}, { signal }),
});

export const Route = createFileRoute('/_public/registration')({ component: RegistrationScreen });

/** A class link contains the join code. */
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
