import { createFileRoute } from '@tanstack/react-router';
import { PlaceholderScreen } from './-shell/PlaceholderScreen.tsx';

export const Route = createFileRoute('/_signed/admin/news')({
  component: () => <PlaceholderScreen title="Новости" />,
});
