import { createFileRoute, redirect } from '@tanstack/react-router';

/** A test without a tab: its content, as after its making. */
export const Route = createFileRoute('/_signed/tests/manage/$testId/')({
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/tests/manage/$testId/edit', params, replace: true });
  },
});
