import { createFileRoute, redirect } from '@tanstack/react-router';

/** «manage» is not a test id: redirects to the own tests, or to the base without teacher rights. */
export const Route = createFileRoute('/_signed/tests/manage/')({
  beforeLoad: () => {
    throw redirect({ to: '/tests/my/created', replace: true });
  },
});
