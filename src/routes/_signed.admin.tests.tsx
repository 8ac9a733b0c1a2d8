import { createFileRoute } from '@tanstack/react-router';
import { PlaceholderScreen } from './-shell/PlaceholderScreen.tsx';

export const Route = createFileRoute('/_signed/admin/tests')({
  component: () => <PlaceholderScreen title="Тесты" />,
});
