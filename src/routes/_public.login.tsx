import { Link, createFileRoute } from '@tanstack/react-router';
import { SignInPage } from '#app/features/session/SignInPage.tsx';
import { useSessionStore } from '#app/lib/session/session-context.ts';
import { lazyPart } from '#app/ui/lazy/lazy-part.tsx';
import { AttemptGuard } from './-shell/AttemptGuard.tsx';
import { useHasUnsent } from './-shell/use-has-unsent.ts';
import { useSignedIn } from './-shell/use-signed-in.ts';

// A person who opens the page directly has no session that ended.
const SignedOutNote = lazyPart(
  () => import('#app/features/session/SignedOutNote.tsx'),
  (module) => module.SignedOutNote,
);

export const Route = createFileRoute('/_public/login')({ component: LoginScreen });

function LoginScreen() {
  const search = Route.useSearch();
  const reason = useSessionStore().endReason();
  const onSignedIn = useSignedIn(search.redirect_path);
  return (
    <SignInPage
      hasUnsent={useHasUnsent()}
      above={
        <>
          {reason !== null && reason !== 'logout' && <SignedOutNote reason={reason} />}
          <AttemptGuard />
        </>
      }
      registration={
        <Link to="/registration" search={search}>
          Зарегистрироваться
        </Link>
      }
      onSignedIn={onSignedIn}
    />
  );
}
