import { createFileRoute, redirect } from '@tanstack/react-router';

/** No test is named «manage»: to those that can be managed; who may manage none goes on to the base. */
export const Route = createFileRoute('/_signed/tests/manage/')({
  beforeLoad: () => {
    throw redirect({ to: '/tests/my/created', replace: true });
  },
});
