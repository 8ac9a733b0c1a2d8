import { createFileRoute, redirect } from '@tanstack/react-router';

/** Without a tab: redirects to the content. */
export const Route = createFileRoute('/_signed/tests/manage/$testId/')({
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/tests/manage/$testId/edit', params, replace: true });
  },
});
