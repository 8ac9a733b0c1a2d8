import { createFileRoute } from '@tanstack/react-router';
import { PlaceholderScreen } from './-shell/PlaceholderScreen.tsx';

export const Route = createFileRoute('/labs')({
  component: () => <PlaceholderScreen title="Лаборатории" />,
});
