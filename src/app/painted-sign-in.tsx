import { renderToString } from 'react-dom/server';
import { AppProvider } from '#app/ui/AppProvider.tsx';
import { SignInPage } from '#app/features/session/SignInPage.tsx';

/**
 * The sign-in as HTML, rendered once by the build: it can be read and filled in before the script has come (ADR 14).
 * Without a form: it would send the password in the address.
 */
export const renderSignIn = (): string =>
  renderToString(
    <AppProvider>
      <SignInPage
        hasUnsent={false}
        registration={<a href="/registration">Зарегистрироваться</a>}
        onSignedIn={() => undefined}
      />
    </AppProvider>,
  )
    .replaceAll(/<(\/?)form\b[^>]*>/g, '<$1div>')
    // By these React would take the rules for its own, which go with the painted page.
    .replaceAll(/ data-(?:precedence|href)="[^"]*"/g, '');
