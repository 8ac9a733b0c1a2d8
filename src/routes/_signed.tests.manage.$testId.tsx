import { Outlet, createFileRoute } from '@tanstack/react-router';
import { requireTeacher } from './-shell/require-teacher.ts';

/** Layout of a teacher's pages of one test. */
export const Route = createFileRoute('/_signed/tests/manage/$testId')({
  beforeLoad: ({ context: { app } }) => requireTeacher(app),
  component: Outlet,
});
