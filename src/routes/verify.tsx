import { createFileRoute, useLocation } from '@tanstack/react-router';
import { lazyPart } from '#app/ui/lazy/lazy-part.tsx';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/verify')({ component: Screen });

// A part of its own: the first load lists the files of each route, though not those of its parts.
const VerifyPage = lazyPart(
  () => import('#app/features/verify/VerifyPage.tsx'),
  (module) => module.VerifyPage,
);

function Screen() {
  const hash = useLocation({ select: (location) => location.hash });
  return (
    <ShellPage title="Проверка квитанции">
      <VerifyPage hash={hash} />
    </ShellPage>
  );
}
