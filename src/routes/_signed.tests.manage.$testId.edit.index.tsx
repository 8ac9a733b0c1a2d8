import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/_signed/tests/manage/$testId/edit/')({
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/tests/manage/$testId/edit/custom', params, replace: true });
  },
});
