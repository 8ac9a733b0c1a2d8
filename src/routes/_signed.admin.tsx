import { Outlet, createFileRoute } from '@tanstack/react-router';
import { requireAdmin } from './-shell/require-admin.ts';

/** Everything under /admin is for administrators. */
export const Route = createFileRoute('/_signed/admin')({
  beforeLoad: ({ context: { app } }) => requireAdmin(app),
  component: Outlet,
});
